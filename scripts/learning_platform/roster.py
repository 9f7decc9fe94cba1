"""The roster: Names and Role Provisioning Services 2.0 on the library's service."""

from __future__ import annotations

from lti1p3platform.membership import Context
from lti1p3platform.service_connector import NamesRoleProvisioningService, TPage

from .messages import ServiceRequest
from .platforms import CONTEXT, Platform


class Roster(NamesRoleProvisioningService):
    """The roster of a platform's course, for one request."""

    def __init__(self, request: ServiceRequest, platform: Platform) -> None:
        self.platform = platform
        # The library gives pages only to who asks for a size.
        request.get_data.setdefault("limit", platform.page_size)
        super().__init__(request, platform.configuration(), platform.memberships_url)

    def get_context_by_id(self) -> Context:
        return Context(**CONTEXT)

    def is_resource_link_valid(self, context_id: str, resource_link_id: str) -> bool:
        return resource_link_id in self.platform.links

    def get_member_data_page(
        self,
        page: int = 1,
        limit: int | None = None,
        role: str | None = None,
        since: str | None = None,
        rlid: str | None = None,
    ) -> TPage:
        found = [member for member in self.platform.members.values() if role in (None, member.role, *member.roles)]
        size = min(limit or self.platform.page_size, self.platform.page_size)
        content = [
            {
                "user_id": member.user_id,
                "roles": member.roles,
                "status": member.status.value,
                "name": member.name,
                "email": member.email,
            }
            for member in found[(page - 1) * size : page * size]
        ]
        return {"content": content, "has_next": page * size < len(found), "next": None}

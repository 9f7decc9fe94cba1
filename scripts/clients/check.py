"""Calls a running service with the clients that openapi-python-client makes, after it has imported all of them."""

import importlib
import os
import pkgutil
import time
from uuid import UUID

import lectern_content
import lectern_platform
from lectern_content.api.expansions import create_expansion, get_expansion, get_expansion_result, list_expansions
from lectern_content.api.modules import create_module, list_modules
from lectern_content.models import (
    AnyObject,
    ContentErrorBody,
    CreateExpansionRequest,
    CreateModuleRequest,
    ExpansionJob,
    OutputKind,
    Status,
)
from lectern_platform.api.api_keys import list_platform_keys
from lectern_platform.api.evaluations import create_evaluation, get_evaluation, list_evaluations
from lectern_platform.models import AnyObject as PlatformObject
from lectern_platform.models import CreateEvaluationRequest, Evaluation, EvaluationType, PlatformErrorBody

BASE_URL = os.environ["BASE_URL"]
CLASSROOM = UUID(os.environ["CLASSROOM_ID"])


def import_all() -> int:
    count = 0
    for package in (lectern_content, lectern_platform):
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            importlib.import_module(module.name)
            count += 1
    return count


def expand(client: lectern_content.AuthenticatedClient) -> ExpansionJob:
    lesson = {"title": "The cell", "text": "A cell is alive."}
    payload = AnyObject.from_dict({"category": "Biology", "level": {"title": "Cells", "lessons": [lesson]}})
    body = CreateExpansionRequest(
        classroom_id=CLASSROOM, payload=payload, requested_outputs=[OutputKind.INTERACTIVE_MODULE]
    )
    job = create_expansion.sync(client=client, body=body, idempotency_key="python-1")
    assert isinstance(job, ExpansionJob), job
    for _ in range(600):
        job = get_expansion.sync(job.id, client=client)
        assert isinstance(job, ExpansionJob), job
        if job.status in (Status.COMPLETED, Status.FAILED):
            return job
        time.sleep(0.1)
    raise AssertionError(f"the job {job.id} does not end")


def check_content() -> None:
    client = lectern_content.AuthenticatedClient(base_url=BASE_URL, token=os.environ["CONTENT_KEY"])
    job = expand(client)
    assert job.status is Status.COMPLETED, job
    result = get_expansion_result.sync(job.id, client=client)
    assert result is not None and not isinstance(result, ContentErrorBody), result
    manifest = result.outputs[0].manifest
    assert manifest is not None and isinstance(manifest.raw["language"], str)

    listed = list_modules.sync(CLASSROOM, client=client, limit=100)
    assert isinstance(listed, list) and result.outputs[0].resource_id in [module.id for module in listed], listed

    jobs = list_expansions.sync(client=client, status=Status.COMPLETED, classroom_id=CLASSROOM, limit=1)
    assert isinstance(jobs, list) and [one.id for one in jobs] == [job.id], jobs

    metadata = AnyObject.from_dict({"externalId": "a-2", "nested": {"kept": [1, 2]}})
    made = create_module.sync(CLASSROOM, client=client, body=CreateModuleRequest(title="By hand", metadata=metadata))
    assert made is not None and not isinstance(made, ContentErrorBody), made
    assert made.metadata.to_dict() == metadata.to_dict()

    refused = create_module.sync_detailed(CLASSROOM, client=client, body=CreateModuleRequest(title=""))
    assert refused.status_code == 400 and isinstance(refused.parsed, ContentErrorBody), refused
    assert isinstance(refused.parsed.details, list) and refused.parsed.details[0].path == "title"


def check_platform() -> None:
    client = lectern_platform.AuthenticatedClient(base_url=BASE_URL, token=os.environ["PLATFORM_KEY"])
    body = CreateEvaluationRequest(
        evaluation_type=EvaluationType.EXACT,
        question_text="What is 6 times 7?",
        learner_answer="42",
        reference_answer="42",
        client_metadata=PlatformObject.from_dict({"course": {"id": 7}}),
    )
    made = create_evaluation.sync(client=client, body=body)
    assert isinstance(made, Evaluation), made
    assert made.score == 10
    found = get_evaluation.sync(made.id, client=client)
    assert found is not None and not isinstance(found, PlatformErrorBody), found
    assert found.client_metadata is not None and found.client_metadata["course"] == {"id": 7}

    page = list_evaluations.sync(client=client, evaluation_type=EvaluationType.EXACT, needs_review=False, limit=1)
    assert page is not None and not isinstance(page, PlatformErrorBody), page
    assert [one.id for one in page.items] == [made.id], page

    keys = list_platform_keys.sync(client=client, organization_id=UUID(os.environ["WORKSPACE_ID"]))
    assert isinstance(keys, list) and keys[0].status.value == "ACTIVE", keys

    unknown = get_evaluation.sync_detailed(CLASSROOM, client=client)
    assert unknown.status_code == 404 and isinstance(unknown.parsed, PlatformErrorBody), unknown
    assert unknown.parsed.error.code == "platform_not_found"


modules = import_all()
check_content()
check_platform()
print(f"the Python clients work ({modules} modules)")

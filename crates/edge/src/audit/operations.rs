//! The names of operations, as the surface's API document has them.

use std::collections::HashMap;
use std::sync::Arc;

use axum::{Extension, Router};
use http::Method;
use utoipa::openapi::OpenApi;

use crate::openapi::operations_of;

/// The groups of operations whose changes are entered whoever makes them: credentials, receivers, customers, settings.
const ADMINISTRATIVE: [&str; 6] = ["API keys", "Webhooks", "Workspaces", "LTI", "Operations", "Organizations"];

/// An operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OperationName {
    /// Its id in the API document.
    pub(super) id: String,
    /// Whether changes that keys make by it are entered too.
    pub(super) is_administrative: bool,
}

/// The operations of a surface, by route and method.
#[derive(Clone)]
pub(super) struct OperationNames(Arc<HashMap<String, Vec<(String, OperationName)>>>);

impl OperationNames {
    fn of(mut document: OpenApi) -> Self {
        let mut names: HashMap<_, Vec<_>> = HashMap::new();
        for (path, item) in &mut document.paths.paths {
            for (method, operation) in operations_of(item) {
                let tags = operation.tags.iter().flatten();
                let is_administrative = tags.into_iter().any(|tag| ADMINISTRATIVE.contains(&tag.as_str()));
                let Some(id) = operation.operation_id.clone() else { continue };
                names
                    .entry(path.clone())
                    .or_default()
                    .push((method.to_owned(), OperationName { id, is_administrative }));
            }
        }
        Self(Arc::new(names))
    }

    pub(super) fn find(&self, route: &str, method: &Method) -> Option<&OperationName> {
        let of_route = self.0.get(route)?;
        of_route.iter().find(|(known, _)| known == method.as_str()).map(|(_, name)| name)
    }
}

/// The routes of a surface with the names that the audit log gives their operations: those of the API document.
pub fn name_operations<S: Clone + Send + Sync + 'static>(router: Router<S>, document: OpenApi) -> Router<S> {
    router.layer(Extension(OperationNames::of(document)))
}

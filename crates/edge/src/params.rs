//! Path parameters. A path that can't be read names nothing: 404, decided after the caller is known.

use axum::extract::{FromRequestParts, Path};
use http::request::Parts;
use serde::de::DeserializeOwned;

use crate::problem::Problem;

/// The path's parameters as texts; which of them are ids is the operation's business.
pub struct Params<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(params)) => Ok(Self(params)),
            Err(_) => Err(Problem::UnknownRoute),
        }
    }
}

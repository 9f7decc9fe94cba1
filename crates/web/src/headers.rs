//! What every page tells the browser: what it may load and run, who may frame it, who may keep it.
//!
//! Pages show what customers wrote, on the origin of the admin console. The sanitizer is the first wall, this is the second: no
//! inline script or style runs, nothing is loaded from elsewhere, no form leaves.

use axum::response::Response;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderName, HeaderValue};

static X_ROBOTS_TAG: HeaderName = HeaderName::from_static("x-robots-tag");
static PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");
static CROSS_ORIGIN_OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
static CROSS_ORIGIN_RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Who may keep a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeping {
    /// Nobody: it is a preview, or somebody's answers.
    No,
    /// Anybody, who asks each time whether it still holds: what is not public any more is gone at once.
    Asking,
    /// Anybody, for ever: its address changes with it.
    ForEver,
}

impl Keeping {
    fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::No => "no-store",
            Self::Asking => "public, no-cache",
            Self::ForEver => "public, max-age=31536000, immutable",
        })
    }
}

/// Who may show a page in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// Nobody.
    Never,
    /// Nobody; a script of the page asks how far a rendering is.
    NeverWhileReviewed,
    /// The origins that the operator names, such as an LMS.
    ByNamedOrigins,
    /// Anybody: learning platforms show launches, and from which origins is for them to know. Their forms lead elsewhere.
    ByPlatforms,
    /// Anybody, as above; but the page shows what customers wrote, so no form leaves.
    ContentByPlatforms,
}

/// The headers of all pages, made once.
#[derive(Clone, Debug)]
pub(crate) struct PageHeaders {
    unframed_policy: HeaderValue,
    review_policy: HeaderValue,
    framed_policy: HeaderValue,
    launch_policy: HeaderValue,
    launched_policy: HeaderValue,
}

impl PageHeaders {
    /// Headers that let images come from some origins and others show learners' pages in frames. Origins are ASCII.
    ///
    /// There is no `X-Frame-Options`: it can't name origins, and browsers that know `frame-ancestors` ignore it.
    pub(crate) fn new(image_origins: &[String], frame_origins: &[String]) -> Self {
        let images = [&["'self'".to_owned()], image_origins].concat().join(" ");
        let policy = |own: &str, frame_ancestors: &str| {
            let policy = format!(
                "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src {images}; media-src 'self'; {own}\
                 base-uri 'none'; frame-ancestors {frame_ancestors}; require-trusted-types-for 'script'; trusted-types 'none'"
            );
            HeaderValue::from_str(&policy).expect("origins are ASCII without controls")
        };
        let named = Some(frame_origins.join(" ")).filter(|origins| !origins.is_empty());
        let own = "form-action 'self'; ";
        // A script of ours asks for the verdict on one answer.
        let checked = "form-action 'self'; connect-src 'self'; ";
        Self {
            unframed_policy: policy(own, "'none'"),
            review_policy: policy(checked, "'none'"),
            framed_policy: policy(checked, named.as_deref().unwrap_or("'none'")),
            // Browsers hold the redirect that answers a form to `form-action`, and a launch redirects to customers' sites.
            launch_policy: policy("", "*"),
            launched_policy: policy(checked, "*"),
        }
    }

    /// Puts the headers on a page's response.
    pub(crate) fn apply(&self, response: &mut Response, keeping: Keeping, framing: Framing, is_indexed: bool) {
        let headers = response.headers_mut();
        let policy = match framing {
            Framing::Never => &self.unframed_policy,
            Framing::NeverWhileReviewed => &self.review_policy,
            Framing::ByNamedOrigins => &self.framed_policy,
            Framing::ByPlatforms => &self.launch_policy,
            Framing::ContentByPlatforms => &self.launched_policy,
        };
        headers.insert(CONTENT_SECURITY_POLICY, policy.clone());
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        // A preview's address is its secret.
        headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        // A platform that opens one of its pages in a window of its own hears from it by the page's `window.opener`.
        let opener = if framing == Framing::ByPlatforms { "unsafe-none" } else { "same-origin" };
        headers.insert(CROSS_ORIGIN_OPENER_POLICY.clone(), HeaderValue::from_static(opener));
        headers.insert(CROSS_ORIGIN_RESOURCE_POLICY.clone(), HeaderValue::from_static("same-origin"));
        let none = HeaderValue::from_static(
            "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
        );
        headers.insert(PERMISSIONS_POLICY.clone(), none);
        headers.insert(CACHE_CONTROL, keeping.header());
        if !is_indexed {
            headers.insert(X_ROBOTS_TAG.clone(), HeaderValue::from_static("noindex, nofollow"));
        }
    }
}

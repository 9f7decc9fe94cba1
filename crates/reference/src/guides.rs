//! The guides and the changelog: Markdown files of the repository, embedded in the program.

use crate::markdown::{self, Rendered};

/// Where files are that have no page here.
const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

/// A text of the repository.
#[derive(Clone, Debug)]
pub(crate) struct Guide {
    /// The guide's part of its address.
    pub(crate) name: &'static str,
    /// One sentence for lists of guides.
    pub(crate) about: &'static str,
    pub(crate) text: Rendered,
}

macro_rules! guide {
    ($name:literal, $about:literal) => {
        ($name, $about, include_str!(concat!("../../../docs/guides/", $name, ".md")))
    };
}

/// The guides in the order in which a new developer reads them.
const GUIDES: [(&str, &str, &str); 5] = [
    guide!("first-expansion", "Start the service, send lessons, and open the pages that it makes of them."),
    guide!("grading", "Have answers graded, read the feedback, review a grade, and follow a learner."),
    guide!("webhooks", "Be told when something is done, and check who tells you."),
    guide!("lti", "Connect a learning platform, launch content, and send scores to its gradebook."),
    guide!("going-live", "What to settle before learners and money depend on the service."),
];
const CHANGELOG: &str = include_str!("../../../docs/api-changelog.md");

/// The guides; `root` is the path below which the service is reached.
pub(crate) fn guides(root: &str) -> Vec<Guide> {
    let guide = |(name, about, text)| Guide {
        name,
        about,
        text: markdown::render(text, &|link| resolve(root, "docs/guides", link)),
    };
    GUIDES.into_iter().map(guide).collect()
}

/// The changelog of the API.
pub(crate) fn changelog(root: &str) -> Rendered {
    markdown::render(CHANGELOG, &|link| resolve(root, "docs", link))
}

/// Where a link in a file of a folder of the repository leads.
fn resolve(root: &str, folder: &str, link: &str) -> String {
    if link.starts_with('#') || link.contains("://") || link.starts_with("mailto:") {
        return link.to_owned();
    }
    if link.starts_with('/') {
        return format!("{root}{link}");
    }
    let mut path: Vec<&str> = folder.split('/').collect();
    for part in link.split('/') {
        match part {
            "." => {}
            ".." => drop(path.pop()),
            part => path.push(part),
        }
    }
    let path = path.join("/");
    let (file, fragment) =
        path.split_once('#').map_or((path.as_str(), String::new()), |(file, id)| (file, format!("#{id}")));
    let name = file.strip_prefix("docs/guides/").and_then(|name| name.strip_suffix(".md"));
    match name {
        Some(name) if GUIDES.iter().any(|guide| guide.0 == name) => format!("{root}/docs/guides/{name}{fragment}"),
        _ if file == "docs/api-changelog.md" => format!("{root}/docs/changelog{fragment}"),
        _ => format!("{REPOSITORY}{path}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_between_files_lead_to_pages() {
        for (link, leads) in [
            ("grading.md", "/x/docs/guides/grading"),
            ("./webhooks.md#check-the-signature", "/x/docs/guides/webhooks#check-the-signature"),
            ("../api-changelog.md", "/x/docs/changelog"),
            ("../billing.md", "https://github.com/lectern/lectern/blob/main/docs/billing.md"),
            ("/docs/errors#conflict", "/x/docs/errors#conflict"),
            ("#here", "#here"),
            ("https://example.com/", "https://example.com/"),
        ] {
            assert_eq!(resolve("/x", "docs/guides", link), leads);
        }
    }
}

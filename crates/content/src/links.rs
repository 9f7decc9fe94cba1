//! Where people look at a resource: its public page, and a preview that only who was given the link can open.
//!
//! A preview link holds a tag of the resource's path that only this service can make. It stays valid as long as
//! the master key; whoever changes the key ends every preview link.

use std::fmt::{Display, Write as _};

use kernel::secret::{Authenticator, MasterKey};
use url::Url;

use crate::resources::Kind;

/// What follows the base address: a kind, an id and a tag.
const LONGEST_PREVIEW_PATH: usize = 112;

/// Makes links to pages, and checks those that come back. Cheap to clone.
#[derive(Clone)]
pub struct Links {
    base: String,
    previews: Authenticator,
}

impl Links {
    /// Links below the service's public base address.
    pub fn new(base_url: &Url, master: &MasterKey) -> Self {
        let base = base_url.as_str().trim_end_matches('/').to_owned();
        Self { base, previews: master.authenticator("preview links") }
    }

    /// The service's public address, without a slash at its end.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The page that anybody can open: `{base}/public/modules/{id}`; `None` unless the resource is public.
    pub fn public(&self, kind: Kind, id: &impl Display, is_public: bool) -> Option<String> {
        is_public.then(|| format!("{}/public/{}/{id}", self.base, kind.plural()))
    }

    /// The page that the holder of the link can open: `{base}/preview/modules/{id}/{token}`.
    pub fn preview(&self, kind: Kind, id: &impl Display) -> String {
        let mut link = String::with_capacity(self.base.len() + LONGEST_PREVIEW_PATH);
        link.push_str(&self.base);
        link.push_str("/preview/");
        let path = link.len();
        push_path(&mut link, kind, id);
        let tag = self.previews.tag(&link[path..]);
        link.push('/');
        link.push_str(&tag);
        link
    }

    /// Whether a preview link's token was made for this resource.
    pub fn opens_preview(&self, kind: Kind, id: &impl Display, token: &str) -> bool {
        self.previews.vouches(&path_of(kind, id), token)
    }
}

fn path_of(kind: Kind, id: &impl Display) -> String {
    let mut path = String::new();
    push_path(&mut path, kind, id);
    path
}

fn push_path(text: &mut String, kind: Kind, id: &impl Display) {
    text.push_str(kind.plural());
    text.push('/');
    write!(text, "{id}").expect("writing into memory never fails");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(base: &str) -> Links {
        Links::new(&Url::parse(base).unwrap(), &MasterKey::from_hex(&"11".repeat(32)).unwrap())
    }

    #[test]
    fn a_public_page_exists_only_for_what_is_public() {
        for (base, expected) in [
            ("https://lectern.example", "https://lectern.example/public/modules/7"),
            ("https://lectern.example/school/", "https://lectern.example/school/public/modules/7"),
        ] {
            assert_eq!(links(base).public(Kind::Module, &7, true).as_deref(), Some(expected));
        }
        assert_eq!(links("https://lectern.example").public(Kind::Module, &7, false), None);
    }

    #[test]
    fn a_preview_opens_with_its_own_token_only() {
        let links = links("https://lectern.example");
        let link = links.preview(Kind::Test, &7);
        let token = link.strip_prefix("https://lectern.example/preview/tests/7/").unwrap();
        assert!(token.len() >= 22);
        assert!(links.opens_preview(Kind::Test, &7, token));
        assert!(!links.opens_preview(Kind::Test, &8, token) && !links.opens_preview(Kind::Video, &7, token));
        assert!(
            !links.opens_preview(Kind::Test, &7, &token[..token.len() - 1]) && !links.opens_preview(Kind::Test, &7, "")
        );
    }
}

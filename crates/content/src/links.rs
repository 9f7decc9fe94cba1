//! Where people look at a resource: its public page, a preview that only the holder of the link can open, and the page where the
//! holder of another link edits a video.
//!
//! A preview link holds a tag of the resource's path that only this service can make, and so does the token of an edit link.
//! Both stay valid as long as the master key; whoever changes the key ends every link.

use std::fmt::{Display, Write as _};

use kernel::id::VideoId;
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
    edits: Authenticator,
}

impl Links {
    /// Links below the service's public base address.
    pub fn new(base_url: &Url, master: &MasterKey) -> Self {
        let base = base_url.as_str().trim_end_matches('/').to_owned();
        let (previews, edits) = (master.authenticator("preview links"), master.authenticator("edit links"));
        Self { base, previews, edits }
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

    /// The token by which whoever has it edits and renders a video: its id and a tag.
    pub fn edit_token(&self, video: VideoId) -> String {
        format!("{video}.{}", self.edits.tag(&path_of(Kind::Video, &video)))
    }

    /// The page that a token opens: `{base}/videos/edit/{token}`.
    pub fn edit_page(&self, token: &str) -> String {
        format!("{}/videos/edit/{token}", self.base)
    }

    /// The video that a token edits; `None` for a token that this service did not make.
    pub fn edited_video(&self, token: &str) -> Option<VideoId> {
        let (id, tag) = token.split_once('.')?;
        let video: VideoId = id.parse().ok()?;
        // An id has one text in a token.
        let is_as_written = video.to_string() == id;
        (is_as_written && self.edits.vouches(&path_of(Kind::Video, &video), tag)).then_some(video)
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

    #[test]
    fn an_edit_token_names_its_video_and_opens_no_other() {
        let links = links("https://lectern.example");
        let video: VideoId = "01a00000-0000-7000-8000-0000000000ab".parse().unwrap();
        let token = links.edit_token(video);
        assert_eq!(links.edited_video(&token), Some(video));
        assert_eq!(links.edit_page(&token), format!("https://lectern.example/videos/edit/{token}"));
        let (id, tag) = token.split_once('.').unwrap();
        let preview = links.preview(Kind::Video, &video);
        let other = "01a00000-0000-7000-8000-0000000000ac";
        for foreign in [
            String::new(),
            id.to_owned(),
            format!("{id}."),
            format!("{}.{tag}", id.to_uppercase()),
            format!("{other}.{tag}"),
            format!("{id}.{}", &tag[1..]),
            format!("{id}.{}", preview.rsplit('/').next().unwrap()),
            format!("{token}x"),
            format!("{token}.x"),
        ] {
            assert_eq!(links.edited_video(&foreign), None, "{foreign}");
        }
    }
}

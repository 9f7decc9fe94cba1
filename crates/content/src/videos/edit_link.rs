//! `GET /v1/content/classrooms/{classroomId}/videos/{videoId}/edit-link`.

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use serde::Serialize;

use super::Video;
use crate::expansions::export::teaches_in;
use crate::{Content, classroom_param, resources};

/// The link by which a video is edited and rendered.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditLink {
    /// Names the video to `/v1/platform/videos/edit/{editToken}`. Whoever has it may edit and render the video.
    edit_token: String,
    /// The page where people do.
    #[schema(format = "uri")]
    edit_url: String,
}

/// The link by which a video is reviewed, edited and rendered. It opens without a key or session, so only admins are shown it.
#[utoipa::path(
    get, path = "/v1/content/classrooms/{classroomId}/videos/{videoId}/edit-link", tag = "Videos",
    operation_id = "getVideoEditLink", security(("adminSession" = [])),
    responses(
        (status = 200, description = "The link", body = EditLink),
        (status = 401, description = "Nobody is signed in", body = ContentErrorBody),
        (status = 403, description = "The admin can't edit the content of the classroom's organization", body = ContentErrorBody),
    )
)]
pub async fn get(
    State(content): State<Content>,
    session: PresentedSession,
    Params((classroom, video)): Params<(String, String)>,
) -> Result<Answer, Problem> {
    let links = content.links.clone();
    let read = move |tx: &mut store::Tx<'_>, admin: &edge::admins::Admin| {
        let organization = teaches_in(tx, admin, classroom_param(&classroom)?)?;
        let path = (classroom.clone(), video.clone());
        let video = resources::load::<Video>(tx, &links, organization, &path)?;
        let edit_token = links.edit_token(video.id);
        Ok(Answer::ok(&EditLink { edit_url: links.edit_page(&edit_token), edit_token }))
    };
    content.door.read_by_admin(session, "videos.edit_link", read).await
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    #[both_stores]
    async fn an_admin_is_shown_the_link_and_nobody_else(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Hillside").await);
        let (admin, stranger) =
            (app.admin_of("a@example.com", &[&tenant]).await, app.admin_of("b@example.com", &[&other]).await);
        let video = app.make(&tenant, "videos", &json!({ "title": "Cells" })).await;
        let path = tenant.resources(&format!("videos/{}/edit-link", video["id"].as_str().unwrap()));
        let link = app.get(&path).cookie(&admin).send().await.expect(200);
        let token = link["editToken"].as_str().unwrap();
        assert_eq!(link["editUrl"], format!("https://lectern.example/videos/edit/{token}"));
        assert_eq!(app.context().links.edited_video(token).unwrap().to_string(), video["id"].as_str().unwrap());
        assert_eq!(app.get(&path).cookie(&admin).send().await.expect(200), link, "it stays the same");
        app.get(&path).cookie(&stranger).send().await.expect(403);
        app.get(&path).key(&tenant.key).send().await.expect(401);
        app.get(&path).send().await.expect(401);
        let unknown = tenant.resources("videos/01a00000-0000-7000-8000-000000000000/edit-link");
        app.get(&unknown).cookie(&admin).send().await.expect(404);
        let read = app.get(&path.replace("/edit-link", "")).key(&tenant.key).send().await.expect(200);
        assert!(!read.to_string().contains(token), "resources don't tell it");
    }
}

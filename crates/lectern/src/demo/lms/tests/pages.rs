use super::*;

#[tokio::test]
async fn everybody_finds_their_pages_and_texts_stay_texts() {
    let test = Test::with_links().await;
    for path in ["/", "/as/park/course", "/as/ann/course", "/as/ann/links/link-1", "/as/park/add", "/as/ben/gradebook"]
    {
        let reply = test.get(path, None).await;
        assert_eq!(reply.status, StatusCode::OK, "{path}");
        assert!(!reply.text.contains("<b>"), "{path}");
        let policy = reply.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'") && policy.contains(&test.tool), "{policy}");
    }
    for path in ["/x", "/as/nobody/course", "/as/ann/links/link-9", "/as/ann/links/link-9/launch", "/as/ann/add"] {
        assert_eq!(test.get(path, None).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn a_student_sees_no_other_grades_and_adds_nothing() {
    let test = Test::with_links().await;
    let course = test.get("/as/ann/course", None).await.text;
    assert!(!course.contains("Add content"), "{course}");
    let grades = test.get("/as/ann/gradebook", None).await.text;
    assert!(grades.contains("Ann Lee") && !grades.contains("Ben Ortiz"), "{grades}");
}

#[tokio::test]
async fn a_window_of_its_own_begins_with_the_tools_login_and_a_frame_offers_a_storage() {
    let test = Test::with_links().await;
    let reply = test.get("/as/ann/links/link-1/launch", None).await;
    let to = reply.headers["location"].to_str().unwrap();
    assert_eq!(reply.status, StatusCode::SEE_OTHER);
    assert!(to.starts_with(&format!("{}/v1/platform/lti/login?iss=", test.tool)), "{to}");
    assert!(!to.contains("lti_storage_target"), "{to}");
    let framed = test.get("/as/ann/links/link-1", None).await.text;
    assert!(framed.contains("lti_storage_target=_parent"), "{framed}");
    assert!(framed.contains(&format!("data-tool=\"{}\"", test.tool)), "{framed}");
}

#[tokio::test]
async fn the_files_of_the_pages_are_there_and_load_nothing_from_elsewhere() {
    let test = Test::new().await;
    for name in ["lms.css", "icon.svg", "post.js", "return.js", "storage.js", "live.js"] {
        let reply = test.get(&format!("/assets/{name}"), None).await;
        assert_eq!(reply.status, StatusCode::OK, "{name}");
        let text = reply.text.replace("http://www.w3.org/2000/svg", "");
        for foreign in ["http://", "https://", "url(", "@import", "eval(", "innerHTML"] {
            assert!(!text.contains(foreign), "{name}: {foreign}");
        }
    }
    assert_eq!(test.get("/assets/x", None).await.status, StatusCode::NOT_FOUND);
}

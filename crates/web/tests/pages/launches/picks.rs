//! A teacher picks content for a course.

use super::*;

#[both_stores]
async fn a_teacher_picks_several_resources_and_tests_get_a_column(test: TestStore) {
    let course = Course::new(test).await;
    let module = course.service.add(Kind::Module, json!({ "quizzes": quiz() })).await;
    let test = course.service.add(Kind::Test, json!({ "items": items(), "name": "Final" })).await;
    let path = course.pick(settings(&json!({}))).await;
    let page = course.get(&path).await;
    assert_eq!((page.status, page.texts("h1")), (StatusCode::OK, vec!["Choose content for your course".to_owned()]));
    assert!(page.header("content-security-policy").contains("frame-ancestors *"));
    let offered = page.attributes("input[type=checkbox][name=pick]", "value");
    assert_eq!(offered.len(), 2);
    assert!(page.texts(".pick").contains(&"Final Test · Class 7b".to_owned()), "{:?}", page.texts(".pick"));
    let (one, other) = (format!("modules/{module}"), format!("tests/{test}"));
    let answer = course.picked(&path, &[("pick", &one), ("pick", &other), ("columns", "1")]).await;
    assert_eq!(
        (&answer[claims::DEEP_LINKING_DATA], &answer[claims::MESSAGE_TYPE]),
        (&json!("x"), &json!("LtiDeepLinkingResponse"))
    );
    let links = answer[claims::CONTENT_ITEMS].as_array().unwrap();
    assert_eq!((&links[0]["title"], &links[0]["lineItem"]), (&json!("Cells"), &Value::Null));
    let link = &links[1];
    assert_eq!((&link["type"], &link["title"]), (&json!("ltiResourceLink"), &json!("Final")));
    let column = json!({ "label": "Final", "scoreMaximum": 7.5, "resourceId": link["custom"]["lectern_link"] });
    assert_eq!(link["lineItem"], column);
    assert_eq!(link["url"], format!("{BASE}{LAUNCH}?link={}", link["custom"]["lectern_link"].as_str().unwrap()));
    assert_eq!(course.count("SELECT count(*) FROM lti_link").await, 2);
    let without = course.picked(&path, &[("pick", &other)]).await;
    assert_eq!(without[claims::CONTENT_ITEMS][0]["lineItem"], Value::Null);
    let nothing = course.picked(&path, &[("pick", &other), ("cancel", "1")]).await;
    assert_eq!(nothing[claims::CONTENT_ITEMS], json!([]));
}

#[both_stores]
async fn the_list_is_narrowed_by_title_classroom_and_kind(test: TestStore) {
    let course = Course::new(test).await;
    course.service.add(Kind::Module, json!({ "title": "Roman roads" })).await;
    course.service.add(Kind::Test, json!({ "items": items() })).await;
    course.service.add(Kind::Slide, json!({})).await;
    course.service.add(Kind::Module, json!({ "status": "queued" })).await;
    let path = course.pick(settings(&json!({}))).await;
    let picks = async |query: &str| course.get(&format!("{path}{query}")).await.texts(".pick > span:first-child");
    assert_eq!(picks("").await.len(), 2, "finished, and no slides");
    assert_eq!(picks("?words=roman").await, ["Roman roads"]);
    assert_eq!(picks("?kind=tests").await, ["Cells"]);
    assert_eq!(picks("?classroom=0192aee1-5a3b-7c2d-8e4f-123456789abc").await, [""; 0]);
    assert_eq!(picks("?kind=poems&classroom=x&words=%00").await.len(), 2, "what can't be read narrows nothing");
    let none = course.get(&format!("{path}?words=nothing")).await;
    assert_eq!(none.texts(".notice"), ["Nothing here fits."]);
}

#[both_stores]
async fn a_platform_that_takes_one_link_gets_one(test: TestStore) {
    let course = Course::new(test).await;
    let module = course.service.add(Kind::Module, json!({})).await;
    let path = course.pick(settings(&json!({ "accept_multiple": false, "accept_lineitem": false }))).await;
    let page = course.get(&path).await;
    assert_eq!(page.attributes("input[name=pick]", "type"), ["radio"]);
    assert!(page.attributes("input[name=columns]", "name").is_empty());
    let one = format!("modules/{module}");
    let refused = course.post(&path, &[("pick", &one), ("pick", &one)], "").await;
    assert_eq!(refused.status, 400, "{}", refused.body);
    assert_eq!(course.count("SELECT count(*) FROM lti_link").await, 0);
    let html = course.pick(settings(&json!({ "accept_types": ["html"] }))).await;
    let page = course.get(&html).await;
    assert_eq!(
        (page.status, page.texts(".lead")),
        (StatusCode::CONFLICT, vec!["Your learning platform takes no links here.".to_owned()])
    );
}

#[both_stores]
async fn learners_pick_nothing(test: TestStore) {
    let course = Course::new(test).await;
    let module = course.service.add(Kind::Module, json!({})).await;
    let path = course
        .launch(|claims| {
            claims[claims::MESSAGE_TYPE] = json!(claims::DEEP_LINKING_REQUEST);
            claims[claims::DEEP_LINKING_SETTINGS] = settings(&json!({}));
        })
        .await;
    let page = course.get(&path).await;
    assert!(page.status == 403 && !page.body.contains("Cells"), "{}", page.body);
    let refused = course.post(&path, &[("pick", &format!("modules/{module}"))], "").await;
    assert_eq!((refused.status, course.count("SELECT count(*) FROM lti_link").await), (StatusCode::FORBIDDEN, 0));
}

#[both_stores]
async fn a_pick_that_cannot_be_linked_is_told_and_nothing_is_linked(test: TestStore) {
    let course = Course::new(test).await;
    let module = course.service.add(Kind::Module, json!({})).await;
    let queued = course.service.add(Kind::Module, json!({ "status": "queued" })).await;
    let path = course.pick(settings(&json!({}))).await;
    let good = format!("modules/{module}");
    for wrong in [
        format!("modules/{queued}"),
        format!("slides/{module}"),
        "modules/0192aee1-5a3b-7c2d-8e4f-123456789abc".to_owned(),
        "poems/x".to_owned(),
        String::new(),
    ] {
        let page = course.post(&format!("{path}?kind=modules"), &[("pick", &good), ("pick", &wrong)], "").await;
        assert_eq!(page.status, 409, "{wrong}: {}", page.body);
        assert_eq!(
            page.texts("p[role=alert]"),
            ["Nothing was added: something of your choice can't be linked. Choose again."]
        );
        assert!(page.attributes("form[data-submit]", "action").is_empty(), "nothing goes to the platform");
        assert_eq!(page.attributes("input[name=pick][checked]", "value"), [&*good], "the rest is still picked");
        assert_eq!(page.attributes("option[selected]", "value"), ["modules"], "the list is as narrow as before");
    }
    assert_eq!(course.count("SELECT count(*) FROM lti_link").await, 0);
    let none = course.picked(&path, &[("pick", "poems/x"), ("cancel", "1")]).await;
    assert_eq!(none[claims::CONTENT_ITEMS], json!([]));
}

#[both_stores]
async fn nothing_of_another_workspaces_organization_is_linked_or_opened(test: TestStore) {
    let course = Course::new(test).await;
    let (other, theirs) = other_workspace(&course).await;
    let path = course.pick(settings(&json!({}))).await;
    assert!(!course.get(&path).await.body.contains("Their secret"));
    let refused = course.post(&path, &[("pick", &format!("modules/{theirs}"))], "").await;
    assert_eq!((refused.status, course.count("SELECT count(*) FROM lti_link").await), (StatusCode::CONFLICT, 0));
    // Nor does the id of a link that the other workspace has lead there.
    let link: kernel::id::LinkId = course.service.test.ambient.id();
    let session: kernel::id::LaunchId = course.service.test.ambient.id();
    let insert = move |tx: &mut Tx<'_>| {
        tx.execute(
            "INSERT INTO lti_link (id, workspace_id, session_id, kind, resource_id, title, trace_id, created_at)
             VALUES ($1, $2, $3, 'module', $4, 'Their secret', 't', 0)",
            &[&link, &other, &session, &theirs],
        )
    };
    course.service.test.store.write("test", insert).await.unwrap();
    let page = course.launch(|claims| claims[claims::CUSTOM] = json!({ "lectern_link": link })).await;
    assert_eq!(course.get(&page).await.texts(".lead"), ["Nothing is linked here yet."]);
}

/// Another workspace that is linked to an organization of its own, and a module of that.
async fn other_workspace(course: &Course) -> (WorkspaceId, String) {
    let make = |tx: &mut Tx<'_>| {
        let ambient = tx.ambient().clone();
        let organization = content::organizations::create::create(tx, &ambient, "Hillside")?.id;
        let classroom = content::classrooms::create::create(tx, &ambient, organization, "Class 8a", "en")?.id;
        let linked = NewWorkspace {
            organization: Some(organization),
            ..NewWorkspace::named("Hillside".into(), "hillside".into())
        };
        Ok::<_, edge::problem::Problem>((insert(tx, &linked)?, organization, classroom))
    };
    let (workspace, organization, classroom) = course.service.test.store.write("test", make).await.unwrap();
    let place = json!({ "organization_id": organization, "classroom_id": classroom, "title": "Their secret" });
    (workspace, course.service.add(Kind::Module, place).await)
}

#[both_stores]
async fn nothing_of_another_organization_is_picked_or_shown(test: TestStore) {
    let course = Course::new(test).await;
    let module = course.service.add(Kind::Module, json!({})).await;
    let page = course.launch_linked(Kind::Module, &module, None).await;
    assert_eq!(course.get(&page).await.texts("h1"), ["Cells"]);
    let workspace = course.workspace;
    let leave = move |tx: &mut Tx<'_>| {
        let other = content::organizations::create::create(tx, &tx.ambient().clone(), "Hillside")?.id;
        tx.execute("UPDATE workspace SET organization_id = $2 WHERE id = $1", &[&workspace, &other])
    };
    course.service.test.store.write("test", leave).await.unwrap();
    assert_eq!(course.get(&page).await.status, 404);
    let path = course.pick(settings(&json!({}))).await;
    let refused = course.post(&path, &[("pick", &format!("modules/{module}"))], "").await;
    assert_eq!((refused.status, refused.texts("p[role=alert]").len()), (StatusCode::CONFLICT, 1));
    let nobodys = |tx: &mut Tx<'_>| tx.execute("UPDATE workspace SET organization_id = NULL", &[]);
    course.service.test.store.write("test", nobodys).await.unwrap();
    assert_eq!(course.get(&path).await.status, 409);
    assert_eq!(course.get(&page).await.texts(".lead"), ["Nothing is linked here yet."]);
}

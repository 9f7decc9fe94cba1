use std::time::Duration;

use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::expansions::OutputKind;
use crate::testing::{App, EXPANSIONS, Reply, Step, Tenant};

async fn list(app: &App, tenant: &Tenant, query: &str) -> Reply {
    let reply = app.get(&format!("{EXPANSIONS}{query}")).key(&tenant.key).send().await;
    reply.expect(200);
    reply
}

fn ids(reply: &Reply) -> Vec<String> {
    reply.json().as_array().unwrap().iter().map(|job| job["id"].as_str().unwrap().to_owned()).collect()
}

/// The query of the next page.
fn next(reply: &Reply) -> Option<String> {
    let address = reply.header("link").strip_prefix("<https://lectern.example")?.strip_suffix(">; rel=\"next\"")?;
    address.strip_prefix(EXPANSIONS).map(str::to_owned)
}

/// The ids of all pages from a query on.
async fn walk(app: &App, tenant: &Tenant, query: &str) -> Vec<String> {
    let (mut query, mut seen) = (Some(query.to_owned()), Vec::new());
    while let Some(page) = query {
        let reply = list(app, tenant, &page).await;
        seen.extend(ids(&reply));
        query = next(&reply);
    }
    seen
}

/// Stores so many jobs, several of them at each instant.
async fn add(app: &App, tenant: &Tenant, count: i64) {
    let (organization, classroom) = (tenant.organization, tenant.classroom);
    let insert = move |tx: &mut store::Tx<'_>| {
        (0..count).try_for_each(|n| {
            tx.execute_later(
                "INSERT INTO expansion (id, organization_id, classroom_id, source_type, source_title, payload, status, created_at,
                    updated_at)
                 VALUES ($1, $2, $3, 'source_json', '', '{}', 'queued', $4, 0)",
                &[&tx.ambient().id::<kernel::id::ExpansionId>(), &organization, &classroom, &(n * 7 % 31)],
            )
        })
    };
    app.write(insert).await;
}

async fn in_order(app: &App) -> Vec<String> {
    let read = app.read(|tx| {
        tx.query("SELECT created_at, id FROM expansion", &[], |row| Ok((row.get::<i64>(0)?, row.get::<String>(1)?)))
    });
    let mut rows = read.await;
    rows.sort_unstable_by(|one, other| other.cmp(one));
    rows.into_iter().map(|(_, id)| id).collect()
}

#[both_stores]
async fn a_listed_job_is_the_job_without_manifests(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    app.script.then(OutputKind::SummaryVideo, [Step::Fail("model_refused")]);
    let id = app.expand(&tenant, &tenant.source()).await;
    app.run_jobs().await;
    let mut expected = app.job(&tenant, &id).await;
    for output in expected["outputs"].as_array_mut().unwrap() {
        output.as_object_mut().unwrap().shift_remove("manifest").unwrap();
    }
    let reply = list(&app, &tenant, "").await;
    assert_eq!((reply.json(), next(&reply)), (json!([expected]), None));
    app.finish().await;
}

#[both_stores]
async fn cursors_visit_every_job_once_newest_first_while_jobs_are_added(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    add(&app, &tenant, 100).await;
    let expected = in_order(&app).await;
    for limit in [1, 7, 100] {
        assert_eq!(walk(&app, &tenant, &format!("?limit={limit}")).await, expected, "{limit} on a page");
    }
    let (mut query, mut seen) = (Some("?limit=9".to_owned()), Vec::new());
    while let Some(page) = query {
        let reply = list(&app, &tenant, &page).await;
        seen.extend(ids(&reply));
        query = next(&reply);
        app.post(EXPANSIONS).key(&tenant.key).json(&tenant.source()).send().await.expect(202);
    }
    assert_eq!(seen, expected, "what is added comes in front");
}

#[both_stores]
async fn filters_narrow_the_list_and_links_keep_them(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let beside = app.classroom(&tenant, "Class 8a", "en").await;
    let mut made = Vec::new();
    for n in 0..6 {
        let mut source = tenant.source();
        if n % 2 == 1 {
            source["classroomId"] = json!(beside.id);
        }
        made.insert(0, app.expand(&tenant, &source).await);
        app.test.clock.advance(Duration::from_secs(1));
        if n == 2 {
            app.run_jobs().await;
        }
    }
    let of = |wanted: &[usize]| wanted.iter().map(|n| made[*n].clone()).collect::<Vec<_>>();
    for (query, wanted) in [
        ("?limit=1".to_owned(), &[0, 1, 2, 3, 4, 5][..]),
        ("?limit=1&status=completed".to_owned(), &[3, 4, 5]),
        ("?limit=2&status=queued".to_owned(), &[0, 1, 2]),
        ("?status=failed".to_owned(), &[]),
        (format!("?limit=1&classroomId={}", beside.id), &[0, 2, 4]),
        (format!("?limit=1&classroomId={}&status=completed", beside.id), &[4]),
        ("?limit=1&createdAfter=2026-01-02T03:04:06Z&createdBefore=2026-01-02T03:04:09Z".to_owned(), &[2, 3]),
    ] {
        assert_eq!(walk(&app, &tenant, &query).await, of(wanted), "{query}");
    }
    app.run_jobs().await;
}

#[both_stores]
async fn a_filter_that_keeps_little_looks_at_a_bounded_number_of_jobs(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    add(&app, &tenant, 10_050).await;
    let oldest = in_order(&app).await.pop().unwrap();
    let wanted = oldest.clone();
    let complete = "UPDATE expansion SET status = 'completed', completed_at = 0 WHERE id = $1";
    app.write(move |tx| tx.execute(complete, &[&wanted])).await;
    let first = list(&app, &tenant, "?status=completed").await;
    assert_eq!(ids(&first), [""; 0]);
    let second = list(&app, &tenant, &next(&first).expect("there is more to look at")).await;
    assert_eq!((ids(&second), next(&second)), (vec![oldest], None));
}

#[both_stores]
async fn another_organizations_cursor_and_a_changed_one_are_400_by_name(test: TestStore) {
    let app = App::new(test);
    let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
    add(&app, &tenant, 2).await;
    let query = next(&list(&app, &tenant, "?limit=1").await).unwrap();
    let faults = async |tenant: &Tenant, query: &str| {
        app.get(&format!("{EXPANSIONS}{query}")).key(&tenant.key).send().await.faults()
    };
    assert_eq!(faults(&other, &query).await, ["cursor"]);
    assert_eq!(faults(&tenant, &format!("{query}A")).await, ["cursor"]);
    assert_eq!(
        faults(&tenant, "?cursor=&limit=0&status=COMPLETED&classroomId=7&createdAfter=x&page=1").await,
        ["limit", "cursor", "createdAfter", "status", "classroomId", "page"]
    );
}

#[both_stores]
async fn a_list_is_of_the_keys_organization_and_of_its_classrooms(test: TestStore) {
    let app = App::new(test);
    let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
    app.expand(&tenant, &tenant.source()).await;
    assert_eq!(list(&app, &other, "").await.json(), Value::Array(Vec::new()));
    let unknown = app.test.ambient.id::<kernel::id::ClassroomId>();
    for classroom in [other.classroom, unknown] {
        app.get(&format!("{EXPANSIONS}?classroomId={classroom}")).key(&tenant.key).send().await.expect(404);
    }
    app.run_jobs().await;
}

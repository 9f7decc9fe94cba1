//! `GET /v1/content/classrooms/{classroomId}/{tests|courses|modules}/{id}/export`: a resource as a file that other
//! systems read.
//!
//! One after the other: who asks is known and counted, a hand is free, the rows are read in one transaction
//! ([`contents`]), and the package is made with none open. Its `ETag` is the version that was read, for an `If-Match`.
//! It is no condition for a 304: a course's package changes with its tests, which have versions of their own.

mod contents;
mod query;

use std::io::BufWriter;
use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::Response;
use edge::door::KeyCaller;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::responses::Responses;
use interchange::model::CourseContent;
use interchange::{COURSE_FILE, TestFormat, export_module, export_test, write_course};
use store::Tx;

use self::contents::Outgoing;
use self::query::ExportQuery;
use super::desk::Size;
use super::download::{Download, Packed, PackedBytes};
use super::report::ExchangeReport;
use crate::links::Links;
use crate::modules::Module;
use crate::resources::{self, Resource};
use crate::tests::Test;
use crate::{Content, ContentKey, organization_of};

/// A file.
#[derive(utoipa::ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "documents a body that is no JSON")]
pub struct PackageFile(Vec<u8>);

/// The formats of a test; the first is the default.
const TEST_FORMATS: &[(&str, TestFormat)] = &[("qti-3.0", TestFormat::Qti30), ("qti-2.1", TestFormat::Qti21)];
const COURSE_FORMATS: &[(&str, ())] = &[("common-cartridge-1.3", ())];
const MODULE_FORMATS: &[(&str, ())] = &[("html", ())];

edge::documented_words! {
    /// A format of tests.
    pub TestExportFormat = TEST_FORMATS
}

edge::documented_words! {
    /// A format of courses.
    pub CourseExportFormat = COURSE_FORMATS
}

edge::documented_words! {
    /// A format of modules.
    pub ModuleExportFormat = MODULE_FORMATS
}

/// A test as a QTI package, which other systems import and `imports` reads back.
#[utoipa::path(
    get, path = "/v1/content/classrooms/{classroomId}/tests/{testId}/export", tag = "Exchange",
    operation_id = "exportTest", security(("contentKey" = [])),
    params(
        ("format" = inline(Option<TestExportFormat>), Query, description = "`qti-3.0` (when it is absent) or `qti-2.1`", example = "qti-3.0"),
        ("report" = Option<bool>, Query, description = "`true` answers with what the format can't hold, instead of the file"),
    ),
    responses(
        (
            status = 200, description = "The package, or the report",
            content((PackageFile = "application/zip"), (ExchangeReport = "application/json")),
            headers(
                ("Content-Disposition" = String, description = "The file's name, after the test's"),
                ("X-Export-Report" = String, description = "What the format can't hold, as an ExchangeReport cut to 2 KiB; absent when nothing is lost"),
            )
        ),
        (status = 409, description = "The test is still being generated", body = ContentErrorBody),
    )
)]
pub async fn test(
    State(content): State<Content>,
    key: ContentKey,
    Params(path): Params<(String, String)>,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let kind = ExportKind { name: "tests.export", size: Size::One, formats: TEST_FORMATS };
    export(
        content,
        key,
        (path, query),
        kind,
        |_, _, test: Test| contents::test(test),
        |test, format, _| Ok(export_test(test, format).into()),
    )
    .await
}

/// A course as a Common Cartridge with its modules, tests and links in order.
#[utoipa::path(
    get, path = "/v1/content/classrooms/{classroomId}/courses/{courseId}/export", tag = "Exchange",
    operation_id = "exportCourse", security(("contentKey" = [])),
    params(
        ("format" = inline(Option<CourseExportFormat>), Query, description = "`common-cartridge-1.3`", example = "common-cartridge-1.3"),
        ("report" = Option<bool>, Query, description = "`true` answers with what the format can't hold, instead of the file"),
    ),
    responses(
        (
            status = 200, description = "The cartridge, or the report",
            content((PackageFile = "application/vnd.ims.imsccv1p3"), (ExchangeReport = "application/json")),
            headers(
                ("Content-Disposition" = String, description = "The file's name, after the course's"),
                ("X-Export-Report" = String, description = "What the format can't hold, as an ExchangeReport cut to 2 KiB; absent when nothing is lost"),
            )
        ),
        (status = 409, description = "The course, or a part of it, is still being generated, or has too much text for a package", body = ContentErrorBody),
    )
)]
pub async fn course(
    State(content): State<Content>,
    key: ContentKey,
    Params(path): Params<(String, String)>,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let kind = ExportKind { name: "courses.export", size: Size::Many, formats: COURSE_FORMATS };
    export(content, key, (path, query), kind, contents::course, |course, (), responses| pack_course(course, responses))
        .await
}

/// A module as one HTML file that works offline, its quiz included.
#[utoipa::path(
    get, path = "/v1/content/classrooms/{classroomId}/modules/{moduleId}/export", tag = "Exchange",
    operation_id = "exportModule", security(("contentKey" = [])),
    params(
        ("format" = inline(Option<ModuleExportFormat>), Query, description = "`html`", example = "html"),
        ("report" = Option<bool>, Query, description = "`true` answers with what the format can't hold, instead of the file"),
    ),
    responses(
        (
            status = 200, description = "The page, or the report",
            content((PackageFile = "text/html"), (ExchangeReport = "application/json")),
            headers(
                ("Content-Disposition" = String, description = "The file's name, after the module's"),
                ("X-Export-Report" = String, description = "What the format can't hold, as an ExchangeReport cut to 2 KiB; absent when nothing is lost"),
            )
        ),
        (status = 409, description = "The module is still being generated", body = ContentErrorBody),
    )
)]
pub async fn module(
    State(content): State<Content>,
    key: ContentKey,
    Params(path): Params<(String, String)>,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let kind = ExportKind { name: "modules.export", size: Size::One, formats: MODULE_FORMATS };
    export(
        content,
        key,
        (path, query),
        kind,
        |_, _, module: Module| contents::module(module),
        |module, (), _| Ok(export_module(module).into()),
    )
    .await
}

/// An export of one kind of resource.
struct ExportKind<F: 'static> {
    /// The transaction's name.
    name: &'static str,
    size: Size,
    /// The first is the default.
    formats: &'static [(&'static str, F)],
}

/// Carries out an export of the resource that a path names: `read` gathers what goes out, `pack` makes the file.
async fn export<R: Resource, F: Copy + Send + 'static, T: Send + 'static>(
    content: Content,
    key: ContentKey,
    (path, query): ((String, String), Option<String>),
    kind: ExportKind<F>,
    read: impl Fn(&mut Tx<'_>, &Links, R) -> Result<Outgoing<T>, Problem> + Send + Sync + 'static,
    pack: impl FnOnce(&T, F, &Responses) -> Result<Packed, Problem> + Send + 'static,
) -> Result<Response, Problem> {
    let query = ExportQuery::read(query.as_deref(), kind.formats);
    let admit = |_: &mut Tx<'_>, caller: &KeyCaller| organization_of(caller);
    let organization = content.door.read_by_key(key.clone(), "exchange.admit", admit).await?;
    let ExportQuery { format, wants_report } = query?;
    let responses = content.door.responses.clone();
    let holder = key.context().holder();
    responses.check_room(&holder)?;
    // Taken before the rows are read: a course's texts wait in memory for nobody.
    let hand = content.desk.hand(organization, kind.size).await?;
    let links = content.links.clone();
    let read = move |tx: &mut Tx<'_>, _: &KeyCaller| {
        let resource = resources::load(tx, &links, organization, &path)?;
        read(tx, &links, resource)
    };
    let outgoing = content.door.read_by_key(key, kind.name, read).await?;
    let packing = hand.compute(move || {
        let Outgoing { what, title, version, report } = outgoing;
        let mut packed = pack(&what, format, &responses)?;
        packed.report.extend(report);
        let download = Download { packed, title, fallback: R::KIND.as_str(), version };
        if wants_report { Ok(download.report()) } else { download.file(&responses, holder) }
    });
    packing.await?
}

/// Writes a course to a file: it may be too large for memory.
fn pack_course(course: &CourseContent, responses: &Responses) -> Result<Packed, Problem> {
    let file = responses.file()?;
    let report = write_course(course, BufWriter::new(&file)).map_err(|error| Problem::Unavailable(Arc::new(error)))?;
    let (file_name_suffix, media_type) = COURSE_FILE;
    Ok(Packed { file_name_suffix, media_type, report, bytes: PackedBytes::File(file) })
}

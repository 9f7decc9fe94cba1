//! The rows of a kind: one list of columns, from which every statement that reads or removes is made.

use std::fmt::Display;
use std::str::FromStr;

use edge::problem::Problem;
use edge::responses::Spool;
use kernel::id::{ClassroomId, OrganizationId};
use serde::Serialize;
use store::{Record, Row, StoreError, ToColumn, Tx};

use super::positions::Mark;
use super::summary::{ListedFields, Summary};
use super::{Failure, Kind, Place, Status};
use crate::links::Links;

/// Resources of a page that are read before anything is known of their size.
const READ_AT_FIRST: u64 = 8;
/// Resources that are read at once later on: as many as are about this long together, in bytes of JSON, and no more than
/// this many.
const READ_AT_ONCE_BYTES: u64 = 1024 * 1024;
const READ_AT_ONCE: u64 = 64;

/// A kind of resource, as a row that a client can be shown. `row!` writes what follows from the names of its fields.
pub trait Resource: Record + Serialize + Send + 'static {
    /// What names one.
    type Id: Copy + Display + FromStr + ToColumn + Send + Sync + 'static;
    /// Its names.
    const KIND: Kind;
    /// The statements over its table.
    const SQL: Statements;
    /// The names of its common operations' transactions.
    const TRANSACTIONS: Transactions;

    /// Reads rows of a classroom, newest first.
    ///
    /// # Errors
    /// Any [`StoreError`].
    fn section(tx: &mut Tx<'_>, links: &Links, section: &Section<'_>) -> Result<Vec<Self>, StoreError>;

    /// Moves a resource from one of two statuses to another, which is a change of the resource: its version tells of it.
    /// False, and nothing happens, when it has another status or is gone. The row is not read: it may be damaged.
    ///
    /// # Errors
    /// Any [`StoreError`].
    fn move_status(
        tx: &mut Tx<'_>,
        organization: OrganizationId,
        id: &str,
        moves: ([Status; 2], Status),
        failure: Option<&Failure>,
    ) -> Result<bool, StoreError>;

    /// Tells where people look at it, and whatever else follows from its row.
    fn show_at(&mut self, public_url: Option<String>, preview_url: String);

    /// Adds what other tables hold of some resources, in as few round trips as for one.
    ///
    /// # Errors
    /// Any [`StoreError`].
    fn complete(_tx: &mut Tx<'_>, _found: &mut [Self]) -> Result<(), StoreError> {
        Ok(())
    }

    /// [`Resource::complete`], where the long members are not shown.
    ///
    /// # Errors
    /// Any [`StoreError`].
    fn complete_summaries(tx: &mut Tx<'_>, found: &mut [Self]) -> Result<(), StoreError> {
        Self::complete(tx, found)
    }

    /// What names it.
    fn id(&self) -> Self::Id;

    /// Whose it is.
    fn organization_id(&self) -> OrganizationId;

    /// Where it lives.
    fn classroom_id(&self) -> ClassroomId;

    /// What it is called.
    fn title(&self) -> &str;

    /// The language of its contents.
    fn language(&self) -> &str;

    /// How far it is.
    fn status(&self) -> Status;

    /// From 1, one higher with every change.
    fn version(&self) -> i64;

    /// Whether its public page is open to anybody.
    fn is_public(&self) -> bool;
}

/// The rows of a classroom that are read.
pub struct Section<'a> {
    pub(crate) place: (OrganizationId, ClassroomId),
    /// Whether short values stand in place of the long columns.
    pub(crate) is_summary: bool,
    /// The newest of them, but for those that are skipped.
    pub(crate) mark: &'a Mark,
    pub(crate) skipped: i64,
    pub(crate) limit: i64,
}

/// The statements that are alike for all kinds.
#[derive(Clone, Copy, Debug)]
pub struct Statements {
    /// One row, by id, organization and classroom.
    pub find: &'static str,
    /// One row, by its id alone.
    pub find_by_id: &'static str,
    /// The mark that comes so many rows after another: organization, classroom, which mark, how many.
    pub mark: &'static str,
    /// Removes one row, by id and organization.
    pub remove: &'static str,
}

/// The names that the transactions of all kinds' operations have in logs and measurements, such as `modules.get`.
#[derive(Clone, Copy, Debug)]
pub struct Transactions {
    /// Reading one.
    pub get: &'static str,
    /// Reading a page of many.
    pub list: &'static str,
    /// Deleting one.
    pub delete: &'static str,
    /// Another try of a generation that failed.
    pub retry: &'static str,
}

/// Writes the part of an implementation of [`Resource`] that is alike for all kinds.
macro_rules! row {
    ($record:ty, $id:ty, $title:ident) => {
        type Id = $id;
        const SQL: $crate::resources::Statements = $crate::resources::statements!($record);
        const TRANSACTIONS: $crate::resources::Transactions = {
            const PLURAL: &str = <$record as $crate::resources::Resource>::KIND.plural();
            $crate::resources::Transactions {
                get: store::join!(PLURAL, ".get"),
                list: store::join!(PLURAL, ".list"),
                delete: store::join!(PLURAL, ".delete"),
                retry: store::join!(PLURAL, ".retry"),
            }
        };

        fn section(
            tx: &mut store::Tx<'_>,
            links: &$crate::links::Links,
            section: &$crate::resources::Section<'_>,
        ) -> Result<Vec<Self>, store::StoreError> {
            const TABLE: &str = <$record as store::Record>::TABLE;
            const COLUMNS: &str = <$record as store::Record>::COLUMNS;
            const SUMMARY_COLUMNS: &str = <$record as store::Record>::SUMMARY_COLUMNS;
            let $crate::resources::Section { place: (organization, classroom), is_summary, mark, skipped, limit } =
                section;
            let read = |row: &store::Row<'_>| $crate::resources::read_row(row, links);
            if *is_summary {
                store::sql!(
                    "SELECT {const SUMMARY_COLUMNS} FROM {const TABLE}
                     WHERE organization_id = {organization} AND classroom_id = {classroom}
                        AND (created_at, id) <= ({mark.created_at}, {mark.id})
                     ORDER BY created_at DESC, id DESC LIMIT {limit} OFFSET {skipped}"
                )
                .query(tx, read)
            } else {
                store::sql!(
                    "SELECT {const COLUMNS} FROM {const TABLE}
                     WHERE organization_id = {organization} AND classroom_id = {classroom}
                        AND (created_at, id) <= ({mark.created_at}, {mark.id})
                     ORDER BY created_at DESC, id DESC LIMIT {limit} OFFSET {skipped}"
                )
                .query(tx, read)
            }
        }

        fn move_status(
            tx: &mut store::Tx<'_>,
            organization: kernel::id::OrganizationId,
            id: &str,
            (from, to): ([$crate::resources::Status; 2], $crate::resources::Status),
            failure: Option<&$crate::resources::Failure>,
        ) -> Result<bool, store::StoreError> {
            const TABLE: &str = <$record as store::Record>::TABLE;
            let (now, [one, other]) = (tx.now(), from);
            let (code, message) = (failure.map(|failure| &failure.code), failure.map(|failure| &failure.message));
            let moved = store::sql!(
                "UPDATE {const TABLE} SET status = {to}, error_code = {code}, error_message = {message},
                    version = version + 1, updated_at = {now}
                 WHERE id = {id} AND organization_id = {organization} AND status IN ({one}, {other})"
            );
            Ok(moved.execute(tx)? > 0)
        }

        fn show_at(&mut self, public_url: Option<String>, preview_url: String) {
            (self.public_url, self.preview_url) = (public_url, preview_url);
        }

        fn id(&self) -> $id {
            self.id
        }

        fn organization_id(&self) -> kernel::id::OrganizationId {
            self.organization_id
        }

        fn classroom_id(&self) -> kernel::id::ClassroomId {
            self.classroom_id
        }

        fn title(&self) -> &str {
            &self.$title
        }

        fn language(&self) -> &str {
            &self.language
        }

        fn status(&self) -> $crate::resources::Status {
            self.status
        }

        fn version(&self) -> i64 {
            self.version
        }
    };
}
pub(crate) use row;

/// Writes `new` of a kind: the members that all kinds have, and `$own` for its own.
macro_rules! new {
    ($title:ident, { $($own:tt)* }) => {
        /// One of a classroom, `completed`, with nothing in it yet.
        pub(crate) fn new(
            ambient: &kernel::ambient::Ambient,
            (organization_id, classroom_id): (kernel::id::OrganizationId, kernel::id::ClassroomId),
            $title: String,
            language: String,
        ) -> Self {
            let now = ambient.now();
            Self {
                id: ambient.id(),
                organization_id,
                classroom_id,
                slug: $crate::slug::slugify(&$title, <Self as $crate::resources::Resource>::KIND.as_str()),
                $title,
                description: String::new(),
                status: $crate::resources::Status::Completed,
                error: None,
                language,
                metadata: kernel::json::JsonText::empty_object(),
                public_url: None,
                preview_url: String::new(),
                version: 1,
                created_at: now,
                updated_at: now,
                $($own)*
            }
        }
    };
}
pub(crate) use new;

/// Makes the [`Statements`] over the table of a record.
macro_rules! statements {
    ($record:ty) => {
        $crate::resources::Statements {
            find: $crate::resources::statements!(
                @select $record, " WHERE id = $1 AND organization_id = $2 AND classroom_id = $3"
            ),
            find_by_id: $crate::resources::statements!(@select $record, " WHERE id = $1"),
            mark: store::join!(
                "SELECT created_at, id FROM ",
                <$record as store::Record>::TABLE,
                " WHERE organization_id = $1 AND classroom_id = $2 AND (created_at, id) <= ($3, $4)
                  ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET $5"
            ),
            remove: store::join!(
                "DELETE FROM ",
                <$record as store::Record>::TABLE,
                " WHERE id = $1 AND organization_id = $2"
            ),
        }
    };
    (@select $record:ty, $rest:literal) => {
        store::join!("SELECT ", <$record as store::Record>::COLUMNS, " FROM ", <$record as store::Record>::TABLE, $rest)
    };
}
pub(crate) use statements;

/// Reads a row, and tells where people look at the resource.
pub(crate) fn read_row<R: Resource>(row: &Row<'_>, links: &Links) -> Result<R, StoreError> {
    let mut resource = R::from_row(row)?;
    let id = resource.id();
    resource.show_at(links.public(R::KIND, &id, resource.is_public()), links.preview(R::KIND, &id));
    Ok(resource)
}

/// Finds a resource of a classroom of an organization.
pub(crate) fn find<R: Resource>(
    tx: &mut Tx<'_>,
    links: &Links,
    organization: OrganizationId,
    classroom: ClassroomId,
    id: R::Id,
) -> Result<Option<R>, StoreError> {
    let found = tx.query(R::SQL.find, &[&id, &organization, &classroom], |row| read_row(row, links))?;
    completed(tx, found)
}

/// Finds a resource by its id alone: for pages, whose right to show it is the resource's or the link's.
///
/// # Errors
/// Any [`StoreError`].
pub fn find_by_id<R: Resource>(tx: &mut Tx<'_>, links: &Links, id: R::Id) -> Result<Option<R>, StoreError> {
    let found = tx.query(R::SQL.find_by_id, &[&id], |row| read_row(row, links))?;
    completed(tx, found)
}

fn completed<R: Resource>(tx: &mut Tx<'_>, mut found: Vec<R>) -> Result<Option<R>, StoreError> {
    if !found.is_empty() {
        R::complete(tx, &mut found)?;
    }
    Ok(found.pop())
}

/// So many resources of a classroom from a mark on after so many, newest first, as a JSON array. They are read a few at a
/// time: a page may have a hundred mebibytes.
pub(super) fn write_page<R: Resource>(
    tx: &mut Tx<'_>,
    links: &Links,
    place: (OrganizationId, ClassroomId),
    fields: Option<ListedFields>,
    (mark, after): (&Mark, u64),
    limit: u64,
    page: &mut Spool,
) -> Result<(), Problem> {
    let bounded = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let (mut read, mut wanted) = (0, READ_AT_FIRST);
    while read < limit {
        let some = wanted.min(limit - read);
        let (limit, skipped) = (bounded(some), bounded(after + read));
        let found = R::section(tx, links, &Section { place, is_summary: fields.is_some(), mark, skipped, limit })?;
        let count = found.len() as u64;
        write(tx, found, fields, page)?;
        read += count;
        if count < some {
            break;
        }
        let mean_bytes = (page.length() / read).max(1);
        wanted = (READ_AT_ONCE_BYTES / mean_bytes).clamp(1, READ_AT_ONCE);
    }
    page.push(if page.is_empty() { b"[]" } else { b"]" })
}

fn write<R: Resource>(
    tx: &mut Tx<'_>,
    mut found: Vec<R>,
    fields: Option<ListedFields>,
    page: &mut Spool,
) -> Result<(), Problem> {
    match fields {
        None => R::complete(tx, &mut found)?,
        Some(ListedFields::Summary) => R::complete_summaries(tx, &mut found)?,
    }
    for resource in found {
        page.push(if page.is_empty() { b"[" } else { b"," })?;
        match fields {
            None => page.push_json(&resource)?,
            Some(ListedFields::Summary) => page.push_json(&Summary(resource))?,
        }
    }
    Ok(())
}

/// How many resources of a kind a classroom has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Total {
    pub(super) total: u64,
    /// How many were ever added or removed.
    pub(super) changes: u64,
}

/// How many resources of a kind a classroom has; `None` when the organization has no such classroom.
pub(super) fn total(
    tx: &mut Tx<'_>,
    kind: Kind,
    organization: OrganizationId,
    classroom: ClassroomId,
) -> Result<Option<Total>, StoreError> {
    let count = |sum: Option<i64>| u64::try_from(sum.unwrap_or(0)).unwrap_or(0);
    tx.find(
        "SELECT sum(resource_total.total), sum(resource_total.changes)
         FROM classroom LEFT JOIN resource_total ON resource_total.classroom_id = classroom.id AND resource_total.kind = $3
         WHERE classroom.id = $1 AND classroom.organization_id = $2 GROUP BY classroom.id",
        &[&classroom, &organization, &kind],
        |row| Ok(Total { total: count(row.get(0)?), changes: count(row.get(1)?) }),
    )
}

/// Removes a resource; what other tables hold of it is the caller's business, before or after.
pub(crate) fn remove<R: Resource>(tx: &mut Tx<'_>, resource: &R) -> Result<(), StoreError> {
    tx.execute_later(R::SQL.remove, &[&resource.id(), &resource.organization_id()])
}

/// The classroom of this organization: 404 when it is unknown or another organization's.
pub(crate) fn load_place(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    classroom: ClassroomId,
) -> Result<Place, Problem> {
    let found = tx.find(
        "SELECT locale FROM classroom WHERE id = $1 AND organization_id = $2",
        &[&classroom, &organization],
        |row| Ok(Place { organization, classroom, locale: row.get(0)? }),
    )?;
    found.ok_or(Problem::NotFound("Classroom"))
}

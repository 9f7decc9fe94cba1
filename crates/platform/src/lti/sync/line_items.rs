//! The column of a link in its course's gradebook, where the launch names none: looked for by the resource, made where there is
//! none, and remembered.
//!
//! Nobody makes one twice: whoever looks holds a lease on the row in our database, and asks the platform before it makes one.
//! So a process that died after the platform had made it finds it.

use std::time::Duration;

use kernel::id::RegistrationId;
use kernel::time::Timestamp;
use lti::ags::{GradeService, LINE_ITEM_TYPE, LINE_ITEMS_TYPE, LineItem, SCOPE_LINE_ITEM, line_items_of};
use lti::next_page;
use net::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, LINK};
use net::{Answer, Limits, OutboundClient, StatusCode, Url};
use store::{Store, StoreError, Tx, sql};

use super::claim::ClaimedSync;
use super::fault::{Endpoint, Fault, Obstacle};
use super::send::LIMITS;

/// How long somebody may look for a line item.
const LEASE: Duration = Duration::from_secs(60);
/// Pages of line items that are read.
const MOST_PAGES: usize = 50;
const PAGE_LIMITS: Limits = Limits { max_response_bytes: 1024 * 1024, ..LIMITS };

/// Finds line items.
pub(super) struct LineItems {
    pub(super) outbound: OutboundClient,
    pub(super) store: Store,
}

/// The name of a line item: what tells it from others.
#[derive(Clone, Debug)]
struct Column {
    registration: RegistrationId,
    /// The address of all columns of the course.
    line_items: Url,
    /// The name of what is graded: the link.
    resource_id: String,
}

impl LineItems {
    /// The address of the column that a score goes to.
    pub(super) async fn of(&self, sync: &ClaimedSync, token: &HeaderValue) -> Result<Url, Fault> {
        let grades = sync.score.grades.as_ref().ok_or(Obstacle::NoGradeService)?;
        if let Some(named) = &grades.lineitem {
            return self.checked(named.as_str());
        }
        let column = Column::of(sync, grades)?;
        let lease = {
            let column = column.clone();
            self.store.write("lti_line_items.take", move |tx| column.take(tx)).await?
        };
        match lease {
            ColumnLease::Known(url) => self.checked(&url),
            ColumnLease::HeldByAnother => Err(Fault::Busy),
            ColumnLease::Ours => {
                let found = self.find_or_make(&column, sync, grades, token).await;
                let url = found.as_ref().ok().map(|url| url.as_str().to_owned());
                self.store.write("lti_line_items.keep", move |tx| column.keep(tx, url.as_deref())).await?;
                found
            }
        }
    }

    /// Forgets a column that is not there any more, so that the next attempt looks for one.
    pub(super) async fn forget(&self, sync: &ClaimedSync) -> Result<(), Fault> {
        let Some(grades) = sync.score.grades.as_ref().filter(|grades| grades.lineitem.is_none()) else {
            return Ok(());
        };
        let column = Column::of(sync, grades)?;
        Ok(self.store.write("lti_line_items.forget", move |tx| column.forget(tx)).await?)
    }

    fn checked(&self, url: &str) -> Result<Url, Fault> {
        self.outbound.check_url(url).map_err(|_| Fault::Address(Endpoint::LineItems))
    }

    async fn find_or_make(
        &self,
        column: &Column,
        sync: &ClaimedSync,
        grades: &GradeService,
        token: &HeaderValue,
    ) -> Result<Url, Fault> {
        let all = self.checked(column.line_items.as_str())?;
        let link = sync.score.resource_link_id.as_deref();
        if let Some(found) = self.find(&all, &column.resource_id, link, token).await? {
            return Ok(found);
        }
        if !grades.allows(SCOPE_LINE_ITEM) {
            return Err(Obstacle::NoLineItem.into());
        }
        let mut item = LineItem {
            id: None,
            label: sync.score.resource_link_title.clone().unwrap_or_else(|| "Lectern".to_owned()),
            score_maximum: sync.score.score_maximum,
            resource_id: Some(column.resource_id.clone()),
            resource_link_id: link.map(str::to_owned),
            tag: None,
        };
        match self.make(&all, &item, token).await {
            // Some platforms (Canvas) let a column belong to some kinds of links only.
            Err(Fault::Answer(Endpoint::LineItems, StatusCode::PRECONDITION_FAILED)) => {
                item.resource_link_id = None;
                self.make(&all, &item, token).await
            }
            made => made,
        }
    }

    async fn make(&self, all: &Url, item: &LineItem, token: &HeaderValue) -> Result<Url, Fault> {
        let body = serde_json::to_vec(item).expect("a line item is JSON");
        let headers = HeaderMap::from_iter([
            (AUTHORIZATION, token.clone()),
            (CONTENT_TYPE, HeaderValue::from_static(LINE_ITEM_TYPE)),
            (ACCEPT, HeaderValue::from_static(LINE_ITEM_TYPE)),
        ]);
        let answer = self.outbound.post(all, headers, body, LIMITS).await;
        let made: LineItem = read(answer)?;
        made.id.ok_or(Fault::Unreadable(Endpoint::LineItems))
    }

    /// The column of the resource, of all that the platform lists: some ignore the filter.
    async fn find(
        &self,
        all: &Url,
        resource_id: &str,
        link: Option<&str>,
        token: &HeaderValue,
    ) -> Result<Option<Url>, Fault> {
        let mut page = line_items_of(all, resource_id, link);
        for _ in 0..MOST_PAGES {
            let headers = HeaderMap::from_iter([
                (AUTHORIZATION, token.clone()),
                (ACCEPT, HeaderValue::from_static(LINE_ITEMS_TYPE)),
            ]);
            let answer = self.outbound.get(&page, headers, PAGE_LIMITS).await;
            let links: Vec<String> = answer
                .iter()
                .flat_map(|answer| answer.headers.get_all(LINK))
                .filter_map(|link| link.to_str().ok().map(str::to_owned))
                .collect();
            let items: Vec<LineItem> = read(answer)?;
            let ours = |item: LineItem| item.id.filter(|_| item.resource_id.as_deref() == Some(resource_id));
            if let Some(found) = items.into_iter().find_map(ours) {
                return Ok(Some(found));
            }
            match next_page(&page, links.iter().map(String::as_str)) {
                Ok(Some(next)) => page = next,
                Ok(None) => return Ok(None),
                Err(_) => break,
            }
        }
        // To make one without having seen all could make a second.
        Err(Fault::Unreadable(Endpoint::LineItems))
    }
}

fn read<T: serde::de::DeserializeOwned>(answer: Result<Answer, net::OutboundError>) -> Result<T, Fault> {
    let answer = answer.map_err(|error| Fault::NoAnswer(Endpoint::LineItems, error))?;
    match answer.status {
        StatusCode::UNAUTHORIZED => Err(Fault::Unauthorized),
        status if status.is_success() => {
            serde_json::from_slice(&answer.body).map_err(|_| Fault::Unreadable(Endpoint::LineItems))
        }
        status => Err(Fault::Answer(Endpoint::LineItems, status)),
    }
}

/// The state of a column in the database of the service.
enum ColumnLease {
    /// It was found before.
    Known(String),
    /// Another attempt looks for it now.
    HeldByAnother,
    /// This attempt looks for it.
    Ours,
}

impl Column {
    fn of(sync: &ClaimedSync, grades: &GradeService) -> Result<Self, Obstacle> {
        let line_items = grades.lineitems.clone().ok_or(Obstacle::NoLineItemScope)?;
        // A link that was picked here told the platform its own name for the column.
        let resource_id = sync.score.link_id.clone().or_else(|| sync.score.resource_link_id.clone());
        let resource_id = resource_id.ok_or(Obstacle::NoResourceLink)?;
        Ok(Self { registration: sync.registration.id, line_items, resource_id })
    }

    fn take(&self, tx: &mut Tx<'_>) -> Result<ColumnLease, StoreError> {
        let (now, until) = (tx.now(), tx.now().plus(LEASE));
        let (registration, line_items, resource) = (self.registration, self.line_items.as_str(), &self.resource_id);
        let known = sql!(
            "SELECT url, leased_until FROM lti_line_item
             WHERE registration_id = {registration} AND line_items = {line_items} AND resource_id = {resource}"
        )
        .find(tx, |row| Ok((row.get::<Option<String>>(0)?, row.get::<Timestamp>(1)?)))?;
        match known {
            Some((Some(url), _)) => return Ok(ColumnLease::Known(url)),
            Some((None, leased_until)) if leased_until > now => return Ok(ColumnLease::HeldByAnother),
            _ => {}
        }
        // Of two at once, one changes the row.
        let taken = sql!(
            "INSERT INTO lti_line_item (registration_id, line_items, resource_id, url, leased_until)
             VALUES ({registration}, {line_items}, {resource}, NULL, {until})
             ON CONFLICT (registration_id, line_items, resource_id) DO UPDATE SET leased_until = excluded.leased_until
             WHERE lti_line_item.url IS NULL AND lti_line_item.leased_until <= {now}"
        )
        .execute(tx)?;
        Ok(if taken == 1 { ColumnLease::Ours } else { ColumnLease::HeldByAnother })
    }

    /// Keeps what was found, or lets the next one look at once.
    fn keep(&self, tx: &mut Tx<'_>, url: Option<&str>) -> Result<(), StoreError> {
        let now = tx.now();
        let (registration, line_items, resource) = (self.registration, self.line_items.as_str(), &self.resource_id);
        sql!(
            "UPDATE lti_line_item SET url = {url}, leased_until = {now}
             WHERE registration_id = {registration} AND line_items = {line_items} AND resource_id = {resource}"
        )
        .execute_later(tx)
    }

    fn forget(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let (registration, line_items, resource) = (self.registration, self.line_items.as_str(), &self.resource_id);
        sql!(
            "DELETE FROM lti_line_item
             WHERE registration_id = {registration} AND line_items = {line_items} AND resource_id = {resource}"
        )
        .execute_later(tx)
    }
}

//! Wake-ups between processes: one connection that listens, and notifies when this process has news.
//!
//! `NOTIFY` inside a transaction would make commits wait for each other, so it is sent from here,
//! afterwards, at most once in [`PERIOD`]. A lost notification costs a poll's delay and nothing else.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio_postgres::{AsyncMessage, Client, Connection, Notification};

use super::Shared;
use crate::wakeups::{Queue, Queues};
use crate::{OpenError, Wakeups};

const CHANNEL: &str = "lectern_wake";
/// The least time between two notifications.
const PERIOD: Duration = Duration::from_millis(20);
/// Between two tries to connect: the first wait and the longest.
const RECONNECT: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// Listens and notifies until stopped.
pub(super) fn run(shared: &Shared, mut is_stopped: watch::Receiver<bool>) {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return tracing::error!(%error, "no wake-ups between processes"),
    };
    runtime.block_on(async {
        tokio::select! {
            () = keep_listening(shared) => {}
            _ = is_stopped.wait_for(|is_stopped| *is_stopped) => {}
        }
    });
}

async fn keep_listening(shared: &Shared) {
    let mut wait = RECONNECT.0;
    loop {
        match listen(shared).await {
            Ok(()) => wait = RECONNECT.0,
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, "no wake-ups from other processes for the moment");
            }
        }
        tokio::time::sleep(wait).await;
        wait = (wait * 2).min(RECONNECT.1);
    }
}

/// Until the connection is lost.
async fn listen(shared: &Shared) -> Result<(), OpenError> {
    let wakeups = shared.wakeups.clone();
    // What this connection says comes back to it; the workers here were woken before it was said.
    let own = Arc::new(AtomicI32::new(0));
    let itself = own.clone();
    let notified = move |notification: &Notification| {
        if notification.process_id() != itself.load(Ordering::Relaxed) {
            wake(&wakeups, notification);
        }
    };
    let (client, connection) = shared.target.connect_listening(notified).await?;
    let mut connection = tokio::spawn(connection);
    let row = client.query_one("SELECT pg_backend_pid()", &[]).await.map_err(OpenError::unreachable)?;
    own.store(row.try_get(0).map_err(OpenError::unreachable)?, Ordering::Relaxed);
    client.batch_execute(&format!("LISTEN {CHANNEL}")).await.map_err(OpenError::unreachable)?;
    // Others may have spoken while nobody listened.
    shared.wakeups.wake(Queues::ALL);
    tokio::select! {
        _ = &mut connection => {}
        () = notify(&client, &shared.wakeups) => {}
    }
    Ok(())
}

/// Tells the other processes, until that fails.
async fn notify(client: &Client, wakeups: &Wakeups) {
    loop {
        let queues = wakeups.outbound().await;
        for queue in Queue::ALL.into_iter().filter(|queue| queues.contains(*queue)) {
            let sql = format!("NOTIFY {CHANNEL}, '{}'", queue.as_str());
            if client.batch_execute(&sql).await.is_err() {
                return;
            }
        }
        tokio::time::sleep(PERIOD).await;
    }
}

fn wake(wakeups: &Arc<Wakeups>, notification: &Notification) {
    for queue in Queue::ALL {
        if notification.channel() == CHANNEL && notification.payload() == queue.as_str() {
            let mut queues = Queues::default();
            queues.insert(queue);
            wakeups.wake(queues);
        }
    }
}

/// Moves the connection's bytes and hands on its notifications.
pub(super) fn drive<S, T>(
    mut connection: Connection<S, T>,
    notified: impl Fn(&Notification) + Send + 'static,
) -> BoxFuture<'static, ()>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    Box::pin(async move {
        while let Some(message) = std::future::poll_fn(|context| connection.poll_message(context)).await {
            match message {
                Ok(AsyncMessage::Notification(notification)) => notified(&notification),
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(error = &error as &dyn std::error::Error, "a database connection broke");
                    return;
                }
            }
        }
    })
}

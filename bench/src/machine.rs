//! What the kernel tells of processes and of the machine (`/proc`), and the clock of this program.

use std::fs;
use std::time::Duration;

use anyhow::Context as _;

/// Linux reports processor time in hundredths of a second, whatever its own clock.
const TICK: Duration = Duration::from_millis(10);

/// A process's use of the machine so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    /// Processor time of all its threads, in user and kernel mode.
    pub(crate) cpu: Duration,
    /// Memory in use, in bytes.
    pub(crate) resident_bytes: u64,
    /// The most memory that was in use at once, in bytes.
    pub(crate) peak_bytes: u64,
}

impl Usage {
    /// Reads a process's use of the machine.
    pub(crate) fn of(pid: u32) -> anyhow::Result<Self> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
        // The name in parentheses may hold anything; the fields behind it are plain.
        let fields: Vec<&str> = stat.rsplit_once(')').context("no name")?.1.split_whitespace().collect();
        let ticks = |index: usize| fields.get(index).and_then(|text| text.parse::<u32>().ok()).context("no ticks");
        let cpu = TICK * (ticks(11)? + ticks(12)?);
        let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
        let kilobytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).context("no memory")
        };
        Ok(Self { cpu, resident_bytes: kilobytes("VmRSS:")? * 1024, peak_bytes: kilobytes("VmHWM:")? * 1024 })
    }

    /// This process's own.
    pub(crate) fn own() -> anyhow::Result<Self> {
        Self::of(std::process::id())
    }
}

/// Processor time that the whole machine has spent working.
pub(crate) fn busy() -> anyhow::Result<Duration> {
    let stat = fs::read_to_string("/proc/stat")?;
    let line = stat.lines().next().context("/proc/stat is empty")?;
    let ticks: Vec<u64> = line.split_whitespace().skip(1).filter_map(|text| text.parse().ok()).collect();
    // user nice system idle iowait irq softirq steal
    let worked: u64 =
        ticks.iter().enumerate().filter(|(index, _)| !matches!(index, 3 | 4) && *index < 8).map(|(_, t)| t).sum();
    Ok(TICK * u32::try_from(worked).context("too many ticks")?)
}

/// Runnable processes on the average of the last minute.
pub(crate) fn load_average() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or("?").to_owned()
}

/// Lets a window pass.
#[expect(clippy::disallowed_methods, reason = "a measurement lasts as long as it is meant to")]
pub(crate) fn pause(span: Duration) {
    std::thread::sleep(span);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_its_own_usage() {
        let usage = Usage::own().unwrap();
        assert!(usage.peak_bytes >= usage.resident_bytes / 2 && usage.resident_bytes > 0);
        assert!(busy().unwrap() > Duration::ZERO);
    }
}

//! The process of a server, and its resources as the system counts them.

use std::io::{self, BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

/// A server in a separate process, which is killed when dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    pub address: SocketAddr,
}

/// The resources of a process.
#[derive(Debug, Clone, Copy, Default)]
pub struct Usage {
    /// Resident memory in KiB.
    pub memory: u64,
    pub descriptors: usize,
    pub threads: u64,
}

impl Process {
    pub fn start() -> io::Result<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg("serve")
            // Deployments with large messages set this, too: otherwise glibc keeps the memory of a
            // burst, and the result of a short run means little.
            .env("MALLOC_MMAP_THRESHOLD_", "131072")
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        let output = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        BufReader::new(output).read_line(&mut line)?;
        let address = line.trim_end().parse().map_err(io::Error::other)?;
        Ok(Self { child, address })
    }

    pub fn usage(&self) -> io::Result<Usage> {
        let folder = format!("/proc/{}", self.child.id());
        let status = fs::read_to_string(format!("{folder}/status"))?;
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse().ok()
        };
        let missing = || io::Error::other("the process has ended");
        Ok(Usage {
            memory: field("VmRSS:").ok_or_else(missing)?,
            descriptors: fs::read_dir(format!("{folder}/fd"))?.count(),
            threads: field("Threads:").ok_or_else(missing)?,
        })
    }

    pub fn terminate(&self) -> io::Result<()> {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args(["-TERM", &id]).status()?;
        status
            .success()
            .then_some(())
            .ok_or_else(|| io::Error::other("kill failed"))
    }

    pub fn is_running(&mut self) -> io::Result<bool> {
        Ok(self.child.try_wait()?.is_none())
    }

    /// Returns the exit code, or `None` if the process still runs after this time, or was killed.
    pub fn exit_code(&mut self, within: Duration) -> io::Result<Option<i32>> {
        let end = Instant::now() + within;
        while self.is_running()? && Instant::now() < end {
            thread::sleep(Duration::from_millis(10));
        }
        Ok(self.child.try_wait()?.and_then(|status| status.code()))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

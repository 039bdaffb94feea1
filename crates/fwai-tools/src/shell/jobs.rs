//! Commands that run on while the conversation goes on.

use super::process::{self, Gathered};
use fwai_firmware::launch::{Child, Exit};
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicU32, Ordering},
    },
};
use tokio::{sync::Notify, task::JoinHandle};

/// The jobs of a session. Dropping them ends every process.
#[derive(Default)]
pub struct Jobs {
    next: AtomicU32,
    jobs: Mutex<BTreeMap<String, Arc<Job>>>,
}

/// One command in the background.
pub struct Job {
    pub command: String,
    pub output: Arc<Mutex<Gathered>>,
    /// How it ended, once it has.
    pub exit: Mutex<Option<Exit>>,
    /// Rings when output arrives or the job ends.
    pub changed: Notify,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl Drop for Job {
    fn drop(&mut self) {
        // The task owns the child; aborting drops it, and a dropped child is killed with its tree.
        if let Some(task) = lock(&self.task).take() {
            task.abort();
        }
    }
}

impl Jobs {
    /// Watches a child from now on; the answer is the job's name.
    pub fn adopt(
        &self,
        command: String,
        mut child: Child,
        output: Arc<Mutex<Gathered>>,
        limit: u64,
    ) -> String {
        let id = format!("job{}", self.next.fetch_add(1, Ordering::Relaxed) + 1);
        let job = Arc::new(Job {
            command,
            output: output.clone(),
            exit: Mutex::new(None),
            changed: Notify::new(),
            task: Mutex::new(None),
        });
        let watched = Arc::downgrade(&job);
        let task = tokio::spawn(async move {
            let ring = watched.clone();
            let end = process::gather(&mut child, &output, limit, |_| {
                if let Some(job) = ring.upgrade() {
                    job.changed.notify_waiters();
                }
            })
            .await;
            if !child.removed().is_empty() {
                let names: Vec<String> =
                    child.removed().iter().map(|path| path.display().to_string()).collect();
                let said = format!(
                    "\n(refused: the job made {}, which policy.protected_paths protects; it was taken away again)\n",
                    names.join(", ")
                );
                lock(&output).push(said.as_bytes());
            }
            if let Some(job) = watched.upgrade() {
                *lock(&job.exit) = Some(end.map(|(exit, _)| exit).unwrap_or_default());
                job.changed.notify_waiters();
            }
        });
        *lock(&job.task) = Some(task);
        lock(&self.jobs).insert(id.clone(), job);
        id
    }

    pub fn get(&self, id: &str) -> Option<Arc<Job>> {
        lock(&self.jobs).get(id).cloned()
    }

    /// Ends a job; `None` where there is none of that name.
    pub fn kill(&self, id: &str) -> Option<Arc<Job>> {
        let job = lock(&self.jobs).remove(id)?;
        if let Some(task) = lock(&job.task).take() {
            task.abort();
        }
        Some(job)
    }

    pub fn names(&self) -> Vec<String> {
        lock(&self.jobs).keys().cloned().collect()
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

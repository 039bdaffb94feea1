//! The plan and the long outputs of a session.

use super::SessionStore;
use crate::atomic;
use fwai_agent::host::{HostError, SessionFiles};
use fwai_llm::BoxFuture;
use std::{fs, io, path::PathBuf};

impl SessionFiles for SessionStore {
    fn plan_path(&self, session: &str) -> String {
        format!(".fwai/sessions/{session}/plan.md")
    }

    fn read_plan<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<Option<String>, HostError>> {
        Box::pin(async move {
            let path = self.directory(session)?.join("plan.md");
            match fs::read(&path) {
                Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(HostError::new(format!("{}: {error}", path.display()))),
            }
        })
    }

    fn write_plan<'a>(&'a self, session: &'a str, plan: &'a str) -> BoxFuture<'a, Result<(), HostError>> {
        Box::pin(async move {
            let path = self.directory(session)?.join("plan.md");
            // Written beside and renamed: a link that someone planted there is replaced, not followed.
            atomic::write(&path, plan.as_bytes())
                .map_err(|error| HostError::new(format!("{}: {error}", path.display())))
        })
    }

    fn keep_output<'a>(
        &'a self,
        session: &'a str,
        call: &'a str,
        text: &'a str,
    ) -> BoxFuture<'a, Result<String, HostError>> {
        Box::pin(async move {
            let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
            let name: String = call.chars().map(safe).take(64).collect();
            let directory = self.directory(session)?.join("output");
            let path = free_name(&directory, &name);
            atomic::write(&path, text.as_bytes())
                .map_err(|error| HostError::new(format!("{}: {error}", path.display())))?;
            Ok(path.strip_prefix(&self.project).unwrap_or(&path).display().to_string())
        })
    }
}

/// A file that is not there yet; ids repeat with some providers.
fn free_name(directory: &std::path::Path, name: &str) -> PathBuf {
    let first = directory.join(format!("{name}.txt"));
    if !first.exists() {
        return first;
    }
    (2u32..)
        .map(|n| directory.join(format!("{name}-{n}.txt")))
        .find(|path| !path.exists())
        .expect("an endless sequence of names has an unused one")
}

//! Memory analysis of a project's image, against another image or against a git revision that is built
//! for the purpose.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use fwai_firmware::{
    build::{BuildRequest, Diagnostic, build},
    elf::ElfError,
    launch::{CancellationToken, Grants, LaunchError, LaunchSpec, Launcher, run},
    memory::{MemoryOptions, MemoryReport, analyze, delta},
};
use fwai_schema::project::Project;
use sha2::{Digest, Sha256};

use crate::{newest_elf::newest_elf, paths::Paths};

/// Why an image could not be looked at.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum MemoryRunError {
    #[error("no image is known: name an ELF, set build.elf in .fwai/project.yaml, or run `fwai build`")]
    NoElf,
    #[error("{0} is neither a file nor a git revision of this project")]
    UnknownAgainst(String),
    #[error("{0} cannot be built for comparison: no build command is known for this project")]
    NoCommand(String),
    #[error("revision {revision} does not build{}", first.as_ref().map(|first| format!(": {}", first.one_line())).unwrap_or_default())]
    RevisionFails { revision: String, first: Option<Box<Diagnostic>> },
    #[error("cannot prepare revision {revision}: {source}")]
    Scratch { revision: String, source: std::io::Error },
    #[error(transparent)]
    Elf(#[from] ElfError),
    #[error(transparent)]
    Launch(#[from] LaunchError),
}

/// Where images and what is known about them come from.
pub struct MemoryRun<'a> {
    pub paths: &'a Paths,
    pub project: &'a Project,
    pub launcher: Arc<dyn Launcher>,
    pub map: Option<PathBuf>,
    pub linker_scripts: Vec<PathBuf>,
}

impl MemoryRun<'_> {
    /// The named ELF, the project's, or that of the newest build that succeeded.
    pub fn elf(&self, named: Option<&Path>) -> Result<PathBuf, MemoryRunError> {
        newest_elf(self.paths, self.project, named).ok_or(MemoryRunError::NoElf)
    }

    /// The report of one image.
    pub fn report(&self, elf: &Path) -> Result<MemoryReport, MemoryRunError> {
        Ok(analyze(elf, &self.options())?)
    }

    fn options(&self) -> MemoryOptions {
        let root = &self.paths.project;
        let scripts = self.project.toolchain.linker_scripts.iter().map(|script| root.join(script));
        MemoryOptions {
            root: Some(root.canonicalize().unwrap_or_else(|_| root.clone())),
            map: self.map.clone(),
            linker_scripts: if self.linker_scripts.is_empty() {
                scripts.collect()
            } else {
                self.linker_scripts.clone()
            },
            regions: self.project.target.regions.clone(),
            without_stack: false,
        }
    }

    /// Compare with an ELF, or with a git revision that is built first.
    pub async fn compare(
        &self,
        report: &mut MemoryReport,
        against: &str,
        cancel: &CancellationToken,
    ) -> Result<(), MemoryRunError> {
        let file = Path::new(against);
        let before = if file.is_file() {
            let options = MemoryOptions { map: None, without_stack: true, ..self.options() };
            analyze(file, &options)?
        } else {
            self.revision(against, cancel).await?
        };
        report.delta = Some(delta(&before, report, against));
        Ok(())
    }

    /// The report of a revision; its ELF is kept, because a commit does not change.
    async fn revision(
        &self,
        revision: &str,
        cancel: &CancellationToken,
    ) -> Result<MemoryReport, MemoryRunError> {
        let unknown = || MemoryRunError::UnknownAgainst(revision.to_owned());
        if revision.starts_with('-') {
            return Err(unknown());
        }
        let wanted = format!("{revision}^{{commit}}");
        let commit = self.git(&["rev-parse", "--verify", "--quiet", &wanted], None, cancel).await?;
        let is_commit = |text: &String| text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let commit = commit.filter(is_commit).ok_or_else(unknown)?;
        let command = self.project.build.command.clone();
        let command = command.ok_or_else(|| MemoryRunError::NoCommand(revision.to_owned()))?;
        let scratch_error = |source| MemoryRunError::Scratch { revision: revision.to_owned(), source };
        let name = hex::encode(Sha256::digest(format!("{commit} {command}")));
        let kept = self.paths.fwai().join("cache/images").join(&name[..32]);
        let kept_report = kept.with_extension("json");
        let known = std::fs::read(&kept_report).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        if let Some(report) = known {
            return Ok(report);
        }
        let scratch = self.scratch().map_err(scratch_error)?;
        let tree = scratch.path().join("tree");
        std::fs::create_dir(&tree).map_err(scratch_error)?;
        let archive = scratch.path().join("tree.tar");
        let output = format!("--output={}", archive.display());
        let archived =
            self.git(&["archive", "--format=tar", &output, &commit], Some(scratch.path()), cancel).await?;
        archived.ok_or_else(unknown)?;
        let unpack =
            LaunchSpec::argv(["tar", "-xf", "../tree.tar"], &tree).grants(self.grants(scratch.path()));
        run(&*self.launcher, unpack, &mut |_| {}, cancel).await?;
        let request = BuildRequest {
            root: tree.clone(),
            command,
            env: self.project.build.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
            timeout: self.project.build.timeout_s.map(Duration::from_secs),
            build_dir: self.project.build.dir.clone(),
            elf: self.project.build.elf.as_ref().map(PathBuf::from),
            project_name: self.project.name.clone(),
            cache: None,
            grants: self.grants(scratch.path()),
        };
        let outcome = build(&*self.launcher, &request, &mut |_| {}, cancel).await?;
        let Some(elf) = outcome.main_elf().filter(|_| outcome.success) else {
            let first = outcome.diagnostics.into_iter().next().map(Box::new);
            return Err(MemoryRunError::RevisionFails { revision: revision.to_owned(), first });
        };
        let scripts = self.project.toolchain.linker_scripts.iter().map(|script| tree.join(script)).collect();
        let options = MemoryOptions {
            root: Some(tree.canonicalize().map_err(scratch_error)?),
            map: None,
            linker_scripts: scripts,
            regions: self.project.target.regions.clone(),
            without_stack: true,
        };
        let report = analyze(&tree.join(&elf.path), &options)?;
        // The next comparison is only slower when this cannot be kept.
        if let Ok(bytes) = serde_json::to_vec(&report)
            && kept_report.parent().is_some_and(|folder| std::fs::create_dir_all(folder).is_ok())
        {
            let _ = crate::atomic::write(&kept_report, &bytes);
        }
        Ok(report)
    }

    /// A directory that goes away. Below the project, because the sandbox hides the system's own.
    fn scratch(&self) -> std::io::Result<tempfile::TempDir> {
        let cache = self.paths.fwai().join("cache");
        std::fs::create_dir_all(&cache)?;
        tempfile::Builder::new().prefix("revision-").tempdir_in(cache.canonicalize()?)
    }

    fn grants(&self, scratch: &Path) -> Grants {
        Grants { write: vec![scratch.to_path_buf()], ..Grants::default() }
    }

    /// Standard output of a git command, trimmed; `None` when it fails.
    async fn git(
        &self,
        arguments: &[&str],
        scratch: Option<&Path>,
        cancel: &CancellationToken,
    ) -> Result<Option<String>, LaunchError> {
        let mut argv = vec!["git"];
        argv.extend(arguments);
        let mut output = Vec::new();
        let grants = scratch.map(|scratch| self.grants(scratch)).unwrap_or_default();
        let spec =
            LaunchSpec::argv(argv, &self.paths.project).grants(grants).timeout(Duration::from_secs(60));
        let finished =
            run(&*self.launcher, spec, &mut |chunk| output.extend_from_slice(chunk), cancel).await?;
        Ok(finished.exit.success().then(|| String::from_utf8_lossy(&output).trim().to_owned()))
    }
}

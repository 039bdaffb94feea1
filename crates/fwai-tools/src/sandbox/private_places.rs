//! Secrets of the user, of the machine and of fwai that exist here, looked up before every command.
//!
//! There are a hundred names to look for in each home directory. What was found is used again while the
//! directories that could hold them are unchanged, so that the next look costs one `stat` for each of these.

use super::kernel::sys;
use fwai_policy::private_paths;
use std::{
    collections::{HashMap, HashSet},
    ffi::OsString,
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::{Duration, SystemTime},
};

/// Those that exist now.
pub fn existing() -> Vec<PathBuf> {
    static LAST: Mutex<Option<Look>> = Mutex::new(None);
    let home = std::env::home_dir();
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let mut found = match &*last {
        Some(look) if look.still_holds(home.as_deref()) => look.found.clone(),
        _ => last.insert(Look::take(home)).found.clone(),
    };
    drop(last);
    let variables = [
        "FWAI_HOME",
        "GNUPGHOME",
        "AWS_SHARED_CREDENTIALS_FILE",
        "AWS_CONFIG_FILE",
        "KUBECONFIG",
        "DOCKER_CONFIG",
        "CLOUDSDK_CONFIG",
    ];
    let named = variables.iter().filter_map(std::env::var_os).map(PathBuf::from);
    let config_home = std::env::var_os("XDG_CONFIG_HOME").map(|home| PathBuf::from(home).join("fwai"));
    let named = named.chain(config_home);
    found.extend(named.filter(|path| path.is_absolute() && path.symlink_metadata().is_ok()));
    found
}

/// What was found, and the directories that decide it.
struct Look {
    home: Option<PathBuf>,
    at: SystemTime,
    directories: Vec<(PathBuf, State)>,
    found: Vec<PathBuf>,
}

/// Device, inode and the time of the last change, which nobody can set; nothing where there is no directory.
type State = Option<(u64, u64, i64, i64)>;

/// A directory that changed this recently may change again within the same tick of its clock.
const SETTLED: Duration = Duration::from_millis(50);

impl Look {
    fn take(home: Option<PathBuf>) -> Self {
        let at = SystemTime::now();
        let mut listings = Listings::default();
        let in_homes = homes(home.clone(), &mut listings)
            .into_iter()
            .filter(|home| home != Path::new("/"))
            .flat_map(|home| private_paths::IN_HOME.iter().map(move |name| home.join(name)));
        let of_machine = private_paths::OF_THE_MACHINE.iter().map(PathBuf::from);
        let found =
            in_homes.chain(of_machine).filter(|path| path.is_absolute() && listings.has(path)).collect();
        Self { home, at, directories: listings.states, found }
    }

    fn still_holds(&self, home: Option<&Path>) -> bool {
        self.home.as_deref() == home
            && self.directories.iter().all(|(path, before)| {
                state(path).is_ok_and(|now| now == *before)
                    && before.is_none_or(|state| self.is_settled(state))
            })
    }

    fn is_settled(&self, (_, _, seconds, nanoseconds): (u64, u64, i64, i64)) -> bool {
        let (Ok(seconds), Ok(nanoseconds)) = (u64::try_from(seconds), u32::try_from(nanoseconds)) else {
            return false;
        };
        let changed = SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds);
        changed + SETTLED < self.at
    }
}

fn state(directory: &Path) -> io::Result<State> {
    match directory.metadata() {
        Ok(m) if m.is_dir() => Ok(Some((m.dev(), m.ino(), m.ctime(), m.ctime_nsec()))),
        Ok(_) => Ok(None),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// The names in directories, each read once.
#[derive(Default)]
struct Listings {
    read: HashMap<PathBuf, Option<Arc<HashSet<OsString>>>>,
    states: Vec<(PathBuf, State)>,
}

impl Listings {
    fn has(&mut self, path: &Path) -> bool {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return true };
        match self.names(parent) {
            Some(names) => names.contains(name),
            // A directory that cannot be listed may still be entered.
            None => path.symlink_metadata().is_ok(),
        }
    }

    /// Whatever is above this directory is of no interest.
    fn start_at(&mut self, directory: &Path) {
        let names = self.list(directory);
        self.read.insert(directory.to_owned(), names);
    }

    /// What a directory holds: nothing where there is none, `None` where it cannot be listed.
    fn names(&mut self, directory: &Path) -> Option<Arc<HashSet<OsString>>> {
        if let Some(names) = self.read.get(directory) {
            return names.clone();
        }
        // Where its parent does not have it, the parent's state says enough.
        let names = match directory.parent().is_some() && !self.has(directory) {
            true => Some(Arc::default()),
            false => self.list(directory),
        };
        self.read.insert(directory.to_owned(), names.clone());
        names
    }

    fn list(&mut self, directory: &Path) -> Option<Arc<HashSet<OsString>>> {
        let listed = state(directory).and_then(|state| {
            let mut names = HashSet::new();
            if state.is_some() {
                for entry in fs::read_dir(directory)? {
                    names.insert(entry?.file_name());
                }
            }
            Ok((state, names))
        });
        match listed {
            Ok((state, names)) => {
                self.states.push((directory.to_owned(), state));
                Some(Arc::new(names))
            }
            Err(_) => {
                // A state that no directory has: the next look is taken anew.
                self.states.push((directory.to_owned(), Some((u64::MAX, 0, 0, 0))));
                None
            }
        }
    }
}

fn homes(home: Option<PathBuf>, listings: &mut Listings) -> Vec<PathBuf> {
    let mut homes: Vec<PathBuf> = home.into_iter().collect();
    homes.extend(home_in_passwd().clone());
    if sys::effective_uid() == 0 {
        homes.push("/root".into());
        let all = Path::new("/home");
        let names = listings.names(all).unwrap_or_default();
        homes.extend(names.iter().take(32).map(|name| all.join(name)));
    }
    homes.sort();
    homes.dedup();
    for home in &homes {
        listings.start_at(home);
    }
    homes
}

/// HOME may be set to anything; the user's real home directory holds the secrets.
fn home_in_passwd() -> &'static Option<PathBuf> {
    static HOME: OnceLock<Option<PathBuf>> = OnceLock::new();
    HOME.get_or_init(|| {
        let uid = sys::effective_uid().to_string();
        let passwd = fs::read_to_string("/etc/passwd").ok()?;
        let fields = passwd
            .lines()
            .map(|line| line.split(':').collect::<Vec<_>>())
            .find(|fields| fields.get(2) == Some(&uid.as_str()))?;
        fields.get(5).filter(|home| home.starts_with('/')).map(PathBuf::from)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_appears_and_goes_is_seen_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let home = directory.path().canonicalize().unwrap();
        let (key, nested) = (home.join(".ssh"), home.join(".config/gh"));
        let mut last = Look::take(Some(home.clone()));
        // As `existing` does it.
        let mut found = || {
            if !last.still_holds(Some(&home)) {
                last = Look::take(Some(home.clone()));
            }
            let has = |path: &PathBuf| last.found.contains(path);
            (has(&key), has(&nested))
        };
        // Long enough for the directories to be remembered.
        let settle = || std::thread::sleep(SETTLED * 2);
        settle();
        assert_eq!(found(), (false, false));
        settle();
        fs::create_dir_all(&nested).unwrap();
        std::os::unix::fs::symlink("/nowhere", &key).unwrap();
        assert_eq!(found(), (true, true));
        settle();
        assert_eq!(found(), (true, true));
        fs::remove_dir(&nested).unwrap();
        assert_eq!(found(), (true, false));
        settle();
        found();
        // Through a directory that is a link.
        let elsewhere = tempfile::tempdir().unwrap();
        fs::remove_dir(home.join(".config")).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), home.join(".config")).unwrap();
        assert_eq!(found(), (true, false));
        settle();
        found();
        fs::create_dir(elsewhere.path().join("gh")).unwrap();
        assert_eq!(found(), (true, true));
    }

    #[test]
    fn an_unchanged_home_is_not_looked_over_again() {
        let home = tempfile::tempdir().unwrap();
        std::thread::sleep(SETTLED * 2);
        let look = Look::take(Some(home.path().to_owned()));
        // Other directories of the machine may change at any time.
        let own = look.directories.iter().filter(|(path, _)| path.starts_with(home.path()));
        let states: Vec<State> = own.map(|(_, state)| *state).collect();
        assert!(states.len() == 1 && states[0].is_some_and(|state| look.is_settled(state)), "{states:?}");
    }
}

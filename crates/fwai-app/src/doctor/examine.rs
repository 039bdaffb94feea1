//! Every examiner in one list, asked at the same time.

use super::{Check, devices, disk, programs, providers, settings, virtual_boards, walls};
use crate::{config::Layered, paths::Paths};
use fwai_schema::project::Project;
use std::thread;

/// What the examiners may look at.
pub struct Patient<'a> {
    pub paths: &'a Paths,
    /// The merged configuration; `Err` holds the words in which it is broken.
    pub config: Result<&'a Layered, String>,
    /// The project file where there is one that can be read.
    pub project: Option<Project>,
}

/// Something that looks at one side of the machine.
pub struct Examiner {
    pub name: &'static str,
    run: fn(&Patient<'_>) -> Vec<Check>,
}

/// In the order of the report.
pub const EXAMINERS: &[Examiner] = &[
    Examiner { name: "settings", run: settings::examine },
    Examiner { name: "toolchains", run: programs::examine },
    Examiner { name: "walls", run: walls::examine },
    Examiner { name: "virtual boards", run: virtual_boards::examine },
    Examiner { name: "ports and probes", run: devices::examine },
    Examiner { name: "providers", run: providers::examine },
    Examiner { name: "disk", run: disk::examine },
];

/// The whole report.
pub fn examine(patient: &Patient<'_>) -> Vec<Check> {
    thread::scope(|scope| {
        let running: Vec<_> =
            EXAMINERS.iter().map(|examiner| (examiner, scope.spawn(|| (examiner.run)(patient)))).collect();
        running
            .into_iter()
            .flat_map(|(examiner, thread)| {
                thread.join().unwrap_or_else(|_| {
                    vec![Check::problem(
                        examiner.name,
                        "this examination broke off",
                        "report it with `fwai doctor -vv`",
                    )]
                })
            })
            .collect()
    })
}

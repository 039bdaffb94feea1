//! The demo's project: the bare-metal template with a status light whose port has a wrong address.

use super::fwai;
use crate::failure::Failure;
use std::{
    fs::{self, DirBuilder},
    io::ErrorKind,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const LED_H: &str =
    "/* The status light on PC8. */\n\n#ifndef LED_H\n#define LED_H\n\nvoid led_init(void);\n\n#endif\n";

/// The bug: port C lies at 0x40011000.
const LED_C: &str = "/* The status light on PC8. */

#include \"led.h\"

#include <stdint.h>

#define RCC_APB2ENR (*(volatile uint32_t *)0x40021018U)
#define GPIOC_BASE 0x60011000U
#define GPIOC_CRH (*(volatile uint32_t *)(GPIOC_BASE + 0x04U))
#define GPIOC_BSRR (*(volatile uint32_t *)(GPIOC_BASE + 0x10U))

void led_init(void)
{
    RCC_APB2ENR |= 1U << 4;
    GPIOC_CRH = (GPIOC_CRH & ~0xFU) | 0x2U; /* output, push-pull, 2 MHz */
    GPIOC_BSRR = 1U << 8;
}
";

/// Makes the project and its first commit. What cannot be finished is taken away again.
pub fn make(wanted: Option<&Path>) -> Result<PathBuf, Failure> {
    let (directory, is_new) = place(wanted)?;
    let made = fill(&directory);
    if made.is_err() && is_new {
        let _ = fs::remove_dir_all(&directory);
    }
    made
}

/// An empty directory, and whether it was made for this.
fn place(wanted: Option<&Path>) -> Result<(PathBuf, bool), Failure> {
    let broken = |directory: &Path, error: &std::io::Error| {
        Failure::failed(format_args!("{}: {error}", directory.display()))
    };
    if let Some(directory) = wanted {
        if directory.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
            return Err(Failure::usage(format_args!("{} is not empty", directory.display()))
                .hint("name another with --dir"));
        }
        let is_new = !directory.exists();
        fs::create_dir_all(directory).map_err(|error| broken(directory, &error))?;
        return Ok((directory.to_owned(), is_new));
    }
    // Others may write to the temporary directory, too: ours must be new, and ours alone.
    let stem = std::env::temp_dir().join(format!("fwai-demo-{}", std::process::id()));
    let mut directory = stem.clone();
    for number in 2..100 {
        match DirBuilder::new().mode(0o700).create(&directory) {
            Ok(()) => return Ok((directory, true)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                directory = PathBuf::from(format!("{}-{number}", stem.display()));
            }
            Err(error) => return Err(broken(&directory, &error).hint("name a place with --dir")),
        }
    }
    Err(Failure::failed(format_args!("{} and all like it exist", stem.display()))
        .hint("name a place with --dir"))
}

fn fill(directory: &Path) -> Result<PathBuf, Failure> {
    let broken = |error: std::io::Error| Failure::failed(format_args!("{}: {error}", directory.display()));
    let directory = &directory.canonicalize().map_err(broken)?;
    let (made, why) = fwai(directory, &["init", "--template", "bare-metal", "--yes", "--quiet"])?;
    if !made {
        return Err(Failure::failed(why));
    }
    fs::write(directory.join("src/led.h"), LED_H).map_err(broken)?;
    fs::write(directory.join("src/led.c"), LED_C).map_err(broken)?;
    replace(&directory.join("CMakeLists.txt"), "    src/main.c\n", "    src/main.c\n    src/led.c\n")?;
    let main = directory.join("src/main.c");
    replace(&main, "#include \"uart.h\"\n", "#include \"led.h\"\n#include \"uart.h\"\n")?;
    replace(
        &main,
        "    uart_write(\"boot ok\\r\\n\");\n",
        "    led_init();\n    uart_write(\"boot ok\\r\\n\");\n",
    )?;
    commit(directory)?;
    Ok(directory.clone())
}

fn replace(file: &Path, old: &str, new: &str) -> Result<(), Failure> {
    let text = fs::read_to_string(file).map_err(Failure::failed)?;
    if !text.contains(old) {
        return Err(Failure::failed(format_args!(
            "the template of {} has changed; the demo does not fit it",
            file.display()
        )));
    }
    fs::write(file, text.replacen(old, new, 1)).map_err(Failure::failed)
}

fn commit(directory: &Path) -> Result<(), Failure> {
    let identity = [
        "-c",
        "user.name=fwai demo",
        "-c",
        "user.email=demo@fwai.invalid",
        "-c",
        "commit.gpgsign=false",
        "-c",
        "core.hooksPath=/dev/null",
    ];
    for arguments in [&["init", "-q", "."][..], &["add", "-A"], &["commit", "-qm", "a status light"]] {
        let mut git = Command::new("git");
        git.current_dir(directory).args(identity).args(arguments).stdin(Stdio::null());
        // A git above us, such as one that runs a hook, must not lend us its own repository.
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"] {
            git.env_remove(name);
        }
        let output =
            git.output().map_err(|error| Failure::failed(format_args!("git cannot start: {error}")))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let why = said.lines().last().unwrap_or_default().trim();
            return Err(Failure::failed(format_args!("git cannot make the demo's first commit: {why}")));
        }
    }
    Ok(())
}

//! Real builds with make and with CMake and Ninja: what goes wrong, what comes out.

mod support;

use std::time::Duration;

use fwai_firmware::{
    build::{BuildEvent, BuildOutcome, BuildRequest, Detail, Progress, Severity, build},
    launch::{CancellationToken, PlainLauncher},
};
use support::TestProject;

const MAKE: &str = "make";
const NINJA: &str = "cmake -G Ninja -S . -B build && cmake --build build";

fn request(project: &TestProject, command: &str) -> BuildRequest {
    BuildRequest {
        root: project.path().to_path_buf(),
        command: command.to_string(),
        project_name: "blinky".to_string(),
        cache: Some(project.join(".fwai/cache")),
        ..BuildRequest::default()
    }
}

async fn built(request: &BuildRequest) -> BuildOutcome {
    build(&PlainLauncher, request, &mut |_| {}, &CancellationToken::new()).await.unwrap()
}

#[tokio::test]
async fn make_and_ninja_find_their_artefacts_main_elf_first() {
    for (command, kinds) in [(MAKE, &["elf", "bin", "hex", "map"][..]), (NINJA, &["elf", "map"])] {
        let project = TestProject::blinky();
        project.write("old.elf", std::fs::read(std::env::current_exe().unwrap()).unwrap());
        let outcome = built(&request(&project, command)).await;
        assert!(outcome.success && outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
        let found: Vec<&str> = outcome.artifacts.iter().map(|artifact| artifact.kind.as_str()).collect();
        assert_eq!(found, kinds, "{command}");
        let elf = outcome.main_elf().unwrap();
        assert_eq!(elf.path, "build/blinky.elf");
        let sum = project.sh("sha256sum build/blinky.elf");
        assert!(sum.starts_with(&elf.sha256));
        let notes = project.sh("arm-none-eabi-readelf -n build/blinky.elf");
        assert!(notes.contains(elf.build_id.as_deref().unwrap()));
        assert!(!outcome.up_to_date);

        let again = built(&request(&project, command)).await;
        assert!(
            again.up_to_date && again.main_elf().unwrap() == elf,
            "nothing changed, so it is still the image"
        );
    }
}

#[tokio::test]
async fn a_failed_build_shows_no_old_image() {
    let project = TestProject::built_blinky();
    project.edit("main.c", "led = count_up", "lde = count_up");
    for command in [MAKE, NINJA] {
        let outcome = built(&request(&project, command)).await;
        assert!(!outcome.success);
        assert!(outcome.main_elf().is_none(), "{:?}", outcome.artifacts);
        let first = &outcome.diagnostics[0];
        assert_eq!(
            (first.file.as_deref(), first.line, first.severity),
            (Some("main.c"), Some(9), Severity::Error)
        );
        assert!(first.message.contains("'lde' undeclared"), "{first:?}");
        assert_eq!(first.function.as_deref(), Some("main"));
    }
}

#[tokio::test]
async fn a_command_that_builds_nothing_does_not_pass_off_an_old_image() {
    let project = TestProject::built_blinky();
    project.sh("touch -d '1 hour ago' build/*");
    let outcome = built(&request(&project, "true")).await;
    assert!(outcome.main_elf().is_none(), "{:?}", outcome.artifacts);
    let said = &outcome.diagnostics[0].message;
    assert!(said.contains("build/blinky.elf is older than"), "{said}");
}

#[tokio::test]
async fn a_newer_file_that_is_no_part_of_the_image_does_not_make_it_old() {
    let project = TestProject::blinky();
    let first = built(&request(&project, MAKE)).await;
    project.sh("touch -d '1 hour ago' * build/* && touch unrelated.c && touch -r link.ld build/blinky.bin");
    let again = built(&request(&project, MAKE)).await;
    assert!(again.up_to_date, "{again:?}");
    assert_eq!(again.main_elf(), first.main_elf());
}

#[tokio::test]
async fn region_overflow_has_its_bytes() {
    let project = TestProject::blinky();
    project.edit("counter.c", "counts[17]", "counts[4000]");
    for command in [MAKE, NINJA] {
        let outcome = built(&request(&project, command)).await;
        let Some(Detail::RegionOverflow { region, bytes, section }) = &outcome.diagnostics[0].detail else {
            panic!("{:?}", outcome.diagnostics)
        };
        let image = 4000 * 4 + 300 + 8;
        assert_eq!((region.as_str(), section.as_deref()), ("RAM", Some(".bss")));
        assert_eq!(*bytes, Some(image - 8192), "{command}");
    }
}

#[tokio::test]
async fn undefined_symbols_name_every_user() {
    let project = TestProject::blinky();
    project.sh("sed -i '/^unsigned count_up/,$d' counter.c");
    project.write(
        "startup.c",
        std::fs::read_to_string(project.join("startup.c"))
            .unwrap()
            .replace("main();", "main(); count_up(1);")
            .replace("int main", "unsigned count_up(unsigned);\nint main"),
    );
    let outcome = built(&request(&project, MAKE)).await;
    let Some(Detail::UndefinedReference { symbol, users }) = &outcome.diagnostics[0].detail else {
        panic!("{:?}", outcome.diagnostics)
    };
    assert_eq!(symbol, "count_up");
    let who: Vec<_> = users.iter().map(|user| (user.file.as_deref(), user.function.as_deref())).collect();
    assert_eq!(who, [(Some("startup.c"), Some("Reset_Handler")), (Some("main.c"), Some("main"))]);
}

#[tokio::test]
async fn only_what_was_not_there_before_is_new() {
    let project = TestProject::blinky();
    project.edit("counter.c", "static unsigned clamp", "static int unused_one;\nstatic unsigned clamp");
    let first = built(&request(&project, MAKE)).await;
    assert_eq!(
        first.warnings().map(|warning| warning.new).collect::<Vec<_>>(),
        [false],
        "a first build has no before"
    );
    project.edit("counter.c", "static int unused_one;", "\nstatic int unused_one;\nstatic int unused_two;");
    let second = built(&request(&project, MAKE)).await;
    let new: Vec<&str> =
        second.warnings().filter(|warning| warning.new).map(|warning| warning.message.as_str()).collect();
    assert_eq!(new.len(), 1, "{new:?}");
    assert!(new[0].contains("unused_two"), "{new:?}");
    assert_eq!(second.warnings().next().unwrap().code.as_deref(), Some("-Wunused-variable"));
}

#[tokio::test]
async fn progress_and_output_stream() {
    let project = TestProject::blinky();
    let mut steps: Vec<Progress> = Vec::new();
    let mut text = Vec::new();
    let mut on_event = |event: BuildEvent<'_>| match event {
        BuildEvent::Output(chunk) => text.extend_from_slice(chunk),
        BuildEvent::Progress(progress) => steps.push(progress),
    };
    let cancel = CancellationToken::new();
    build(&PlainLauncher, &request(&project, NINJA), &mut on_event, &cancel).await.unwrap();
    let last = steps.last().unwrap();
    assert_eq!((last.done, last.total), (4, Some(4)));
    assert!(String::from_utf8(text).unwrap().contains("[4/4] Linking C executable"));
}

#[tokio::test]
async fn a_missing_compiler_is_the_first_thing_said() {
    let project = TestProject::blinky();
    let outcome = built(&request(&project, "make CROSS=no-such-")).await;
    assert_eq!(
        outcome.diagnostics[0].detail,
        Some(Detail::CommandNotFound { program: "no-such-gcc".to_string() }),
        "{:?}",
        outcome.diagnostics
    );
}

#[tokio::test]
async fn a_time_limit_says_which() {
    let project = TestProject::blinky();
    let request =
        BuildRequest { timeout: Some(Duration::from_millis(200)), ..request(&project, "sleep 100") };
    let outcome = built(&request).await;
    assert!(
        !outcome.success && outcome.diagnostics[0].message.contains("time limit"),
        "{:?}",
        outcome.diagnostics
    );
}

#[tokio::test]
async fn an_elf_that_project_yaml_names_must_be_there() {
    let project = TestProject::blinky();
    let request = BuildRequest { elf: Some("build/other.elf".into()), ..request(&project, MAKE) };
    let outcome = built(&request).await;
    assert!(!outcome.success);
    assert!(outcome.errors().any(|error| error.message.contains("did not make build/other.elf")));
}

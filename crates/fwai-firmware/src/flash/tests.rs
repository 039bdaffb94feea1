//! The guard's refusals, each from plain facts.

use fwai_schema::{
    board::BoardDef,
    evidence::Artifact,
    policy::FlashGuard,
    project::{MemoryRegion, Project},
};

use super::{BuildFacts, Confirmation, GuardFacts, GuardRefusal, check};
use crate::boards::Image;

fn setting() -> (tempfile::TempDir, Image, BoardDef) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("app.bin");
    std::fs::write(&path, [7; 1000]).unwrap();
    let region =
        |name: &str, origin, length| MemoryRegion { name: name.into(), origin, length, attributes: None };
    let def = BoardDef {
        name: "bench".into(),
        title: "Bench board".into(),
        chip: "STM32F100RB".into(),
        regions: vec![region("FLASH", 0x0800_0000, 2000), region("RAM", 0x2000_0000, 100)],
        ..BoardDef::default()
    };
    let image = Image::read_for(&path, &def, &Project::default()).unwrap();
    (folder, image, def)
}

fn build(image: &Image, succeeded: bool, sha256: &str) -> GuardFacts {
    let artifact = Artifact {
        path: image.path.display().to_string(),
        kind: "bin".into(),
        sha256: sha256.into(),
        size: 1000,
        build_id: None,
    };
    let facts = BuildFacts { run_id: "20260101-000000-build".into(), succeeded, artifacts: vec![artifact] };
    GuardFacts { newest_build: Some(facts), budget_exceeded: None }
}

#[test]
fn only_the_newest_successful_build_passes() {
    let (_folder, image, def) = setting();
    let guard = FlashGuard::default();
    let ask = |facts: &GuardFacts| check(&guard, &image, &def, &Project::default(), facts);
    let good = build(&image, true, &image.sha256);
    assert_eq!(ask(&good).unwrap().as_deref(), Some("20260101-000000-build"));
    assert!(matches!(ask(&GuardFacts::default()), Err(GuardRefusal::NoBuild { .. })));
    assert!(matches!(ask(&build(&image, false, &image.sha256)), Err(GuardRefusal::BuildFailed { .. })));
    assert!(matches!(ask(&build(&image, true, "00")), Err(GuardRefusal::NotThatBuild { .. })));
    let over = GuardFacts { budget_exceeded: Some("40 files".into()), ..good };
    let refusal = ask(&over).unwrap_err();
    assert!(matches!(refusal, GuardRefusal::Budget(_)) && refusal.is_policy());
}

#[test]
fn a_guard_that_asks_for_no_build_lets_any_fitting_image_pass() {
    let (_folder, image, mut def) = setting();
    let guard = FlashGuard { require_build_success: false, require_confirmation: true };
    let facts = build(&image, false, "00");
    assert_eq!(check(&guard, &image, &def, &Project::default(), &facts).unwrap(), None);
    def.regions[0].length = 999;
    let refusal = check(&guard, &image, &def, &Project::default(), &facts).unwrap_err();
    assert!(!refusal.is_policy() && refusal.to_string().contains("outside its memory"), "{refusal}");
}

#[test]
fn the_confirmation_names_board_image_size_and_regions() {
    let (_folder, image, def) = setting();
    let text = Confirmation { def: &def, project: &Project::default(), image: &image }.to_string();
    for part in
        ["bench", "STM32F100RB", "app.bin", "1000 bytes", "FLASH: 1000 of 2000 bytes at 0x08000000 (50.0 %)"]
    {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

//! Runs that outgrow one entry of the log: fields or files move out of the statement, and stay covered by it.

mod scene;

use std::{fs, path::PathBuf, process::Command};

use fwai_evidence::{
    dsse::Envelope,
    keys::UserKeys,
    log::LONGEST_ENTRY,
    prove::write_bundle,
    runs::ToolRecord,
    statement::{RunPredicate, Statement},
};
use fwai_schema::evidence::RunStatus;
use scene::Scene;

/// A run with `tools` long commands and `files` further files.
fn run(scene: &Scene, tools: usize, files: usize) -> (String, Statement) {
    let mut run = scene.store().create_run("large").unwrap();
    run.begin("large").unwrap();
    for number in 0..tools {
        let command = format!("make part{number} {}", "-DLONG_DEFINITION=1 ".repeat(250));
        run.add_tool(ToolRecord::new("make", command, Some(0)), None).unwrap();
    }
    for number in 0..files {
        fs::write(run.directory().join(format!("part-{number}.log")), format!("log {number}\n")).unwrap();
    }
    let id = run.end(RunStatus::Success).unwrap().run_id;
    let bytes = fs::read(scene.fwai("runs").join(&id).join("attestation.dsse.json")).unwrap();
    assert!(bytes.len() <= LONGEST_ENTRY);
    let statement = Statement::open(&Envelope::parse(&bytes).unwrap()).unwrap();
    (id, statement)
}

/// The verifier that travels with a bundle says the same as fwai.
fn prove(scene: &Scene, id: &str) -> bool {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.unwrap_or_else(|| PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cache"));
    let bundle = scene.root.join(format!("{id}-proof"));
    write_bundle(&scene.root, &UserKeys::of(&scene.home), id, &bundle).unwrap();
    let output = Command::new(cache.join("fwai-dev/venv/bin/python"))
        .arg(bundle.join("verify.py"))
        .args(["--key", &scene.key().to_base64()])
        .output()
        .expect("`cargo xtask setup` makes the environment");
    output.status.success()
}

#[test]
fn fields_that_do_not_fit_are_named_and_still_covered() {
    let scene = Scene::new();
    let (id, statement) = run(&scene, 20, 0);
    let predicate: RunPredicate = serde_json::from_value(statement.predicate).unwrap();
    assert_eq!(predicate.omitted, ["tools"]);
    assert!(predicate.evidence.get("tools").is_none() && predicate.evidence["status"] == "success");
    assert!(scene.verify().ok && prove(&scene, &id));
    let path = scene.fwai("runs").join(&id).join("evidence.json");
    let report = scene.after(|_| {
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replacen("make part7 ", "make part8 ", 1)).unwrap();
    });
    assert!(report.problems.iter().any(|problem| problem.file.ends_with("evidence.json")), "{report:#?}");
}

#[test]
fn files_that_do_not_fit_stand_in_a_list_that_is_signed() {
    let scene = Scene::new();
    let (id, statement) = run(&scene, 0, 600);
    assert!(statement.subject.len() < 10, "{} subjects", statement.subject.len());
    let directory = scene.fwai("runs").join(&id);
    assert_eq!(fs::read_to_string(directory.join("SHA256SUMS")).unwrap().lines().count(), 602);
    assert!(scene.verify().ok && prove(&scene, &id));
    for (change, told) in [
        (
            Box::new(|dir: &PathBuf| fs::write(dir.join("part-317.log"), "x").unwrap())
                as Box<dyn Fn(&PathBuf)>,
            "was changed",
        ),
        (Box::new(|dir: &PathBuf| fs::remove_file(dir.join("part-0.log")).unwrap()), "is missing"),
        (Box::new(|dir: &PathBuf| fs::write(dir.join("part-600.log"), "x").unwrap()), "was added"),
        (
            Box::new(|dir: &PathBuf| {
                let sums = fs::read_to_string(dir.join("SHA256SUMS")).unwrap();
                fs::write(dir.join("SHA256SUMS"), sums.replacen("part-1.log", "part-x.log", 1)).unwrap();
            }),
            "was changed",
        ),
    ] {
        let report = scene.after(|_| change(&directory));
        assert!(report.problems.iter().any(|problem| problem.what.contains(told)), "{told}: {report:#?}");
    }
}

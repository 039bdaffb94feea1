//! `fwai security scan`, `fwai sbom` and `fwai export` through the real program.
//!
//! Secrets are assembled here at run time, so that the repository itself scans clean.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;

fn fwai(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(assert_cmd::cargo::cargo_bin!("fwai"))
        .current_dir(directory)
        .env("FWAI_HOME", directory.join("home"))
        .env_remove("CI")
        .args(arguments)
        .output()
        .unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stdout)))
}

fn git(directory: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .current_dir(directory)
        .args(["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn token(seed: &str) -> String {
    format!(
        "ghp{}{}",
        "_",
        format!("{seed}Qk7Zr2Xw9Lm4Vb6Nt1Hs8Yd3Fg5Jc0PaUe").chars().take(36).collect::<String>()
    )
}

fn rules(report: &Value) -> Vec<(String, String, u64)> {
    let findings = report["findings"].as_array().unwrap();
    let of = |finding: &Value| {
        let text = |key: &str| finding[key].as_str().unwrap().to_owned();
        (text("rule"), text("file"), finding["line"].as_u64().unwrap())
    };
    findings.iter().map(of).collect()
}

#[test]
fn a_tree_is_scanned_with_everything_firmware_hides() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    let pass = ["Blau", "wal7", "Regen"].concat();
    let bytes = (0..16).map(|n| format!("0x{:02x}", (n * 83 + 41) % 251)).collect::<Vec<_>>().join(", ");
    let body = "MHQx9aZ3kLw8Vb2Nt5Hs1Yd7Fg4Jc6PaUeRi0OpKj+QmXn/".repeat(2);
    let key = ["PRIVATE", "KEY"].join(" ");
    fs::create_dir_all(root.join("src")).unwrap();
    fs::write(
        root.join("src/wifi.h"),
        format!("#pragma once\n#define WIFI_PASS \"{pass}\"\n#define PASSWORD \"{pass}\"\n"),
    )
    .unwrap();
    fs::write(root.join("src/keys.c"), format!("static const uint8_t aes_key[16] = {{ {bytes} }};\nconst char pem[] =\n\"-----BEGIN EC {key}-----\\n\"\n\"{body}\\n\"\n\"-----END EC {key}-----\\n\";\n")).unwrap();
    fs::write(
        root.join("sdkconfig"),
        format!("CONFIG_ESP_WIFI_PASSWORD=\"{pass}\"\nCONFIG_FREERTOS_HZ=1000\n"),
    )
    .unwrap();
    fs::write(root.join("image.bin"), [b"\0\0".as_slice(), token("A").as_bytes()].concat()).unwrap();
    fs::write(root.join("clean.c"), "int token_count(const char *token) { return token[0]; }\n").unwrap();
    let output = fwai(root, &["security", "scan", ".", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report = json(&output);
    let expected = [
        ("wifi-password", "sdkconfig", 1),
        ("crypto-key-array", "src/keys.c", 1),
        ("private-key-pem", "src/keys.c", 3),
        ("wifi-password", "src/wifi.h", 2),
        ("password-literal", "src/wifi.h", 3),
    ];
    assert_eq!(rules(&report), expected.map(|(rule, file, line)| (rule.into(), file.into(), line)));
    let shown =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(!shown.contains(&pass), "a report never repeats a secret");

    let sarif = json(&fwai(root, &["security", "scan", ".", "--sarif"]));
    assert_eq!(
        (sarif["version"].as_str(), sarif["runs"][0]["results"].as_array().unwrap().len()),
        (Some("2.1.0"), 5)
    );
    let clean = fwai(root, &["security", "scan", "clean.c", "--json"]);
    assert_eq!((clean.status.code(), json(&clean)["findings"].clone()), (Some(0), serde_json::json!([])));
    let missing = fwai(root, &["security", "scan", "no-such-file"]);
    assert_eq!(missing.status.code(), Some(2));
}

#[test]
fn the_index_and_the_history_are_scanned() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    git(root, &["init", "-q"]);
    fs::write(root.join("old.txt"), format!("t = {}\n", token("Old"))).unwrap();
    git(root, &["add", "."]);
    git(root, &["commit", "-qm", "one"]);
    git(root, &["rm", "-q", "old.txt"]);
    git(root, &["commit", "-qm", "two"]);
    assert_eq!(fwai(root, &["security", "scan", "--json"]).status.code(), Some(0), "the tree is clean");
    let history = json(&fwai(root, &["security", "scan", "--history", "--json"]));
    assert_eq!(rules(&history), [("github-token".to_owned(), "old.txt".to_owned(), 1)]);
    assert_eq!(history["findings"][0]["commit"].as_str().unwrap().len(), 40);

    fs::write(root.join("new file.txt"), format!("\n{}\n", token("New"))).unwrap();
    fs::write(root.join("unstaged.txt"), token("Unstaged")).unwrap();
    git(root, &["add", "new file.txt"]);
    // What counts is what would be committed, not what lies in the tree.
    fs::write(root.join("new file.txt"), "harmless\n").unwrap();
    let staged = fwai(root, &["security", "scan", "--staged", "--json"]);
    assert_eq!(rules(&json(&staged)), [("github-token".to_owned(), "new file.txt".to_owned(), 2)]);
    assert_eq!(staged.status.code(), Some(1));
}

#[test]
fn configuration_speaks_for_the_project() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    fs::create_dir_all(root.join(".fwai")).unwrap();
    fs::write(
        root.join(".fwai/config.yaml"),
        "security:\n  patterns: ['ACME-[0-9]{4}']\n  allow: ['^Hunter2Hunter$']\n",
    )
    .unwrap();
    fs::write(root.join("a.c"), "// ACME-1234\n#define PASSWORD \"Hunter2Hunter\"\n").unwrap();
    let report = json(&fwai(root, &["security", "scan", "a.c", "--json"]));
    assert_eq!(rules(&report).len(), 2, "a stranger's project cannot allow its own secrets: {report}");
    assert_eq!(fwai(root, &["trust", "--yes"]).status.code(), Some(0));
    let report = json(&fwai(root, &["security", "scan", "a.c", "--json"]));
    assert_eq!(rules(&report), [("custom-pattern".to_owned(), "a.c".to_owned(), 1)]);
    fs::write(root.join(".fwai/config.yaml"), "security:\n  patterns: ['(']\n").unwrap();
    let output = fwai(root, &["security", "scan", "a.c"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("security.patterns[0]"));
}

#[test]
fn an_image_gets_its_sbom_and_the_run_its_page() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    fs::create_dir_all(root.join(".fwai")).unwrap();
    fs::create_dir_all(root.join("FreeRTOS/Source/include")).unwrap();
    fs::write(root.join("FreeRTOS/Source/tasks.c"), "int tick(int x) { return x + 1; }\n").unwrap();
    fs::write(root.join("FreeRTOS/Source/include/task.h"), "#define tskKERNEL_VERSION_NUMBER \"V11.1.0\"\n")
        .unwrap();
    fs::write(root.join("main.c"), "int tick(int); int main(int c, char **v) { return tick(c); }\n").unwrap();
    let built = Command::new("arm-none-eabi-gcc")
        .current_dir(root)
        .args([
            "-mcpu=cortex-m3",
            "-mthumb",
            "-g",
            "--specs=nosys.specs",
            "-Wl,-Map=app.map",
            "-o",
            "app.elf",
            "main.c",
            "FreeRTOS/Source/tasks.c",
        ])
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = fwai(root, &["sbom", "app.elf", "--json", "-o", "sbom.cdx.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let bom = json(&output);
    assert_eq!((bom["bomFormat"].as_str(), bom["specVersion"].as_str()), (Some("CycloneDX"), Some("1.6")));
    let components = bom["components"].as_array().unwrap();
    assert!(components.iter().any(|c| c["name"] == "FreeRTOS-Kernel" && c["version"] == "11.1.0"), "{bom:#}");
    assert_eq!(serde_json::from_slice::<Value>(&fs::read(root.join("sbom.cdx.json")).unwrap()).unwrap(), bom);

    // The run that keeps it can be exported in every format, and it verifies.
    let page = fwai(root, &["export", "latest", "-o", "page.html"]);
    assert_eq!(page.status.code(), Some(0), "{}", String::from_utf8_lossy(&page.stderr));
    let page = fs::read_to_string(root.join("page.html")).unwrap();
    assert!(page.contains(">Verified<") && page.contains("FreeRTOS-Kernel 11.1.0"), "{page}");
    let all = json(&fwai(root, &["audit", "export", "--all", "--format", "json"]));
    assert_eq!(all["runs"][0]["verification"]["state"], "verified");
    assert_eq!(all["runs"][0]["evidence"]["sbom"]["path"], "sbom.cdx.json");
    let csv = fwai(root, &["export", "--all", "--format", "csv"]);
    assert!(String::from_utf8_lossy(&csv.stdout).starts_with("run_id,record,"));
    assert_eq!(json(&fwai(root, &["export", "--all", "--format", "sarif"]))["version"], "2.1.0");
    let report = fwai(root, &["export", "--all", "-o", "report"]);
    assert_eq!(report.status.code(), Some(0));
    assert!(fs::read_to_string(root.join("report/index.html")).unwrap().contains("-sbom.html"));
    assert_eq!(fwai(root, &["export", "no-such-run"]).status.code(), Some(2));
    assert_eq!(fwai(root, &["sbom", "main.c"]).status.code(), Some(2));
}

//! The SBOM of a real image, built here by arm-none-eabi-gcc from a small tree with vendored parts, and
//! checked by a foreign validator.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use super::{ModelRef, SbomInput, component_rules::rules, generate, map_members::members, summary};

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A project with FreeRTOS, CMSIS, lwIP, Mbed TLS, a HAL, a submodule, a PlatformIO library and a mystery.
fn project() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    write(
        root,
        "src/main.c",
        "#include <string.h>\n#include <stdio.h>\nextern int rtos(int), net(int), tls(int), hal(int), sub(int), pio(int), mystery(int);\n\
         #include \"core_cm4.h\"\nextern const unsigned char table[];\nint dropped(void);\n\
         int main(int argc, char **argv) { char text[32]; snprintf(text, sizeof text, \"%d\", rtos(argc) + net(argc) + tls(argc) + hal(argc) + sub(argc) + pio(argc) + mystery(argc) + table[argc] + cm4_id());\n\
         return (int)strlen(text) + argv[0][0]; }\n",
    );
    write(root, "src/table.c", "const unsigned char table[4] = {1, 2, 3, 4};\n");
    write(root, "src/dropped.c", "int dropped(void) { return 7; }\n");
    write(
        root,
        "Middlewares/FreeRTOS/Source/tasks.c",
        "/* SPDX-License-Identifier: MIT */\nint rtos(int x) { return x * 3; }\n",
    );
    write(
        root,
        "Middlewares/FreeRTOS/Source/include/task.h",
        "#define tskKERNEL_VERSION_NUMBER       \"V10.4.6\"\n",
    );
    write(root, "Middlewares/lwip/src/core/tcp.c", "int net(int x) { return x ^ 5; }\n");
    write(
        root,
        "Middlewares/lwip/src/include/lwip/init.h",
        "#define LWIP_VERSION_MAJOR      2\n#define LWIP_VERSION_MINOR 1\n#define LWIP_VERSION_REVISION   3\n",
    );
    write(root, "third_party/mbedtls/library/aes.c", "int tls(int x) { return x + 11; }\n");
    write(
        root,
        "third_party/mbedtls/include/mbedtls/version.h",
        "#define MBEDTLS_VERSION_STRING         \"3.5.2\"\n",
    );
    write(root, "third_party/mbedtls/LICENSE", "Apache License\n Version 2.0, January 2004\n");
    write(
        root,
        "Drivers/STM32F4xx_HAL_Driver/Src/stm32f4xx_hal.c",
        "#define __STM32F4xx_HAL_VERSION_MAIN   (0x01U) /*!< [31:24] main version */\n#define __STM32F4xx_HAL_VERSION_SUB1   (0x08U)\n\
         #define __STM32F4xx_HAL_VERSION_SUB2   (0x0BU)\nint hal(int x) { return x - 2; }\n",
    );
    write(
        root,
        "Drivers/CMSIS/Include/core_cm4.h",
        "static inline __attribute__((always_inline)) int cm4_id(void) { return *(volatile int *)0xE000ED00; }\n",
    );
    write(
        root,
        "Drivers/CMSIS/Include/cmsis_version.h",
        "#define __CM_CMSIS_VERSION_MAIN    ( 5U)   /*!< main */\n#define __CM_CMSIS_VERSION_SUB     ( 6U)\n",
    );
    write(
        root,
        ".gitmodules",
        "[submodule \"libs/ring\"]\n\tpath = libs/ring\n\turl = https://github.com/Acme/ring-buffer.git\n",
    );
    write(root, "libs/ring/ring.c", "int sub(int x) { return x / 2; }\n");
    write(root, "libs/ring/.git/HEAD", "0123456789abcdef0123456789abcdef01234567\n");
    write(
        root,
        ".pio/libdeps/f4/Button/library.json",
        r#"{"name": "Button", "version": "1.2.3", "license": "MIT"}"#,
    );
    write(root, ".pio/libdeps/f4/Button/src/button.c", "int pio(int x) { return x << 1; }\n");
    write(root, "third_party/mystery/m.c", "int mystery(int x) { return x % 3; }\n");
    dir
}

fn build(root: &Path) -> (PathBuf, PathBuf) {
    let (elf, map) = (root.join("app.elf"), root.join("app.map"));
    let output = Command::new("arm-none-eabi-gcc")
        .current_dir(root)
        .args([
            "-mcpu=cortex-m4",
            "-mthumb",
            "-g",
            "-O1",
            "-ffunction-sections",
            "-fdata-sections",
            "--specs=nano.specs",
        ])
        .args([
            "--specs=nosys.specs",
            "-Wl,--gc-sections",
            "-Wl,-Map=app.map",
            "-IDrivers/CMSIS/Include",
            "-o",
            "app.elf",
        ])
        .args(["src/main.c", "src/table.c", "src/dropped.c", "Middlewares/FreeRTOS/Source/tasks.c"])
        .args(["Middlewares/lwip/src/core/tcp.c", "third_party/mbedtls/library/aes.c"])
        .args(["Drivers/STM32F4xx_HAL_Driver/Src/stm32f4xx_hal.c", "libs/ring/ring.c"])
        .args([".pio/libdeps/f4/Button/src/button.c", "third_party/mystery/m.c"])
        .output()
        .expect("arm-none-eabi-gcc is installed by `cargo xtask setup`");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (elf, map)
}

fn sbom(root: &Path, elf: &Path, map: Option<&Path>) -> Value {
    let model = Some(ModelRef { provider: "anthropic".into(), name: "claude-sonnet".into() });
    generate(&SbomInput {
        elf,
        map,
        project: root,
        name: "blinky",
        version: Some("1.0.0"),
        model,
        fwai_version: "0.1.0",
    })
    .unwrap()
}

fn named<'v>(bom: &'v Value, name: &str) -> &'v Value {
    let components = bom["components"].as_array().unwrap();
    components
        .iter()
        .find(|component| component["name"] == name)
        .unwrap_or_else(|| panic!("no {name} in {bom:#}"))
}

fn validate(bom: &Value) {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.unwrap_or_else(|| PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cache"));
    let script = "import sys\nfrom cyclonedx.schema import SchemaVersion\nfrom cyclonedx.validation.json import JsonStrictValidator\n\
                  error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(sys.stdin.read())\n\
                  sys.exit(str(error) if error else 0)\n";
    let mut child = Command::new(cache.join("fwai-dev/venv/bin/python"))
        .args(["-c", script])
        .stdin(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("cyclonedx-python-lib is installed by `cargo xtask setup`");
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), bom.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_rules_are_sound() {
    let names: std::collections::BTreeSet<_> = rules().iter().map(|rule| &rule.name).collect();
    assert_eq!(names.len(), rules().len());
    for rule in rules() {
        assert!(
            !rule.paths.is_empty() && rule.purl.as_deref().is_some_and(|purl| purl.starts_with("pkg:")),
            "{}",
            rule.name
        );
        assert!(
            rule.versions.iter().all(|place| place.pattern.is_some() == place.parts.is_empty()),
            "{}",
            rule.name
        );
    }
}

#[test]
fn an_image_tells_what_was_linked() {
    let dir = project();
    let root = dir.path().canonicalize().unwrap();
    let (elf, map) = build(&root);
    let bom = sbom(&root, &elf, Some(&map));
    validate(&bom);
    assert_eq!(bom, sbom(&root, &elf, Some(&map)), "the same image gives the same SBOM");

    for (name, version, licence) in [
        ("FreeRTOS-Kernel", "10.4.6", "MIT"),
        ("lwIP", "2.1.3", "BSD-3-Clause"),
        ("Mbed TLS", "3.5.2", "Apache-2.0"),
        ("STM32 HAL", "1.8.11", "BSD-3-Clause"),
        ("CMSIS-Core", "5.6", "Apache-2.0"),
        ("Button", "1.2.3", "MIT"),
    ] {
        let component = named(&bom, name);
        assert_eq!(component["version"], version, "{name}");
        assert_eq!(component["licenses"][0]["license"]["id"], licence, "{name}");
        assert!(component["purl"].as_str().unwrap().ends_with(version), "{component}");
        assert_eq!(component["hashes"][0]["content"].as_str().unwrap().len(), 64);
        assert_eq!(component["hashes"][1]["content"].as_str().unwrap().len(), 128);
    }
    let submodule = named(&bom, "ring");
    assert_eq!(submodule["purl"], "pkg:github/acme/ring-buffer@0123456789abcdef0123456789abcdef01234567");
    let mystery = named(&bom, "mystery");
    assert_eq!(
        (&mystery["version"], &mystery["properties"][0]["value"]),
        (&"unknown".into(), &"unknown".into())
    );
    let bytes = fs::read(root.join("third_party/mystery/m.c")).unwrap();
    assert_eq!(mystery["hashes"][0]["content"], super::digest::of_bytes(&bytes).sha256);

    let newlib = named(&bom, "newlib");
    assert!(newlib["version"].as_str().unwrap().starts_with(|c: char| c.is_ascii_digit()), "{newlib}");
    assert!(named(&bom, "libgcc")["version"].as_str().unwrap().contains('.'), "the compiler's version");

    let own = named(&bom, "blinky");
    let files = own["evidence"]["occurrences"].to_string();
    assert!(files.contains("src/main.c") && files.contains("src/table.c"), "{files}");
    assert!(!files.contains("dropped"), "what the linker dropped is not in the image: {files}");

    let formulation = bom["formulation"][0]["components"].to_string();
    assert!(formulation.contains("GCC") && formulation.contains("claude-sonnet"), "{formulation}");
}

/// Manifests as the package managers write them; the sources are C, since only their paths matter here.
fn project_with_manifests() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("workspace/app");
    fs::create_dir_all(&root).unwrap();
    write(
        &root,
        "src/main.c",
        "extern int west(int), nordic(int), esp(int), pio(int), krate(int), path(int);\n\
         int main(int c, char **v) { (void)v; return west(c) + nordic(c) + esp(c) + pio(c) + krate(c) + path(c); }\n",
    );
    write(
        &root,
        "west.yml",
        "manifest:\n  version: '1.2'\n  defaults:\n    remote: upstream\n    revision: main\n  remotes:\n    \
         - name: upstream\n      url-base: https://github.com/zephyrproject-rtos\n    - name: nordic\n      \
         url-base: https://github.com/nrfconnect\n  projects:\n    - name: cbor\n      repo-path: zcbor\n      \
         path: modules/lib/zcbor\n      revision: 47f34dd7f5284e8750b5a715dee7f77c6c5bdc3f\n    - name: nrfxlib\n      \
         remote: nordic\n      revision: v2.6.0\n      path: nrfxlib\n  self:\n    path: app\n",
    );
    write(&root, "../modules/lib/zcbor/src/zcbor.c", "int west(int x) { return x * 7; }\n");
    write(&root, "../nrfxlib/crypto/nrf_oberon.c", "int nordic(int x) { return x * 5; }\n");
    write(
        &root,
        "dependencies.lock",
        "dependencies:\n  espressif/led_strip:\n    component_hash: 28c6509a727ef74925b372ed404772aeedf11cce10b78c3f69b3c66799095e2d\n    \
         dependencies:\n    - name: idf\n      require: private\n      version: '>=4.4'\n    source:\n      \
         registry_url: https://components.espressif.com/\n      type: service\n    version: 2.5.4\n  idf:\n    source:\n      \
         type: idf\n    version: 5.2.1\nmanifest_hash: 0\ntarget: esp32\nversion: 2.0.0\n",
    );
    write(
        &root,
        "managed_components/espressif__led_strip/idf_component.yml",
        "description: Driver for addressable LED strips\nlicense: Apache-2.0\nversion: 2.5.4\nurl: https://example.org\n",
    );
    write(&root, "managed_components/espressif__led_strip/src/led.c", "int esp(int x) { return x | 1; }\n");
    write(
        &root,
        ".pio/libdeps/esp32dev/PubSubClient/.piopm",
        r#"{"type": "library", "name": "PubSubClient", "version": "2.8.0", "spec": {"owner": "knolleary", "id": 89, "name": "PubSubClient"}}"#,
    );
    write(
        &root,
        ".pio/libdeps/esp32dev/PubSubClient/library.properties",
        "name=PubSubClient\nversion=2.8\nlicense=MIT\n",
    );
    write(&root, ".pio/libdeps/esp32dev/PubSubClient/src/mqtt.c", "int pio(int x) { return x - 9; }\n");
    write(
        &root,
        "Cargo.lock",
        "# This file is automatically @generated by Cargo.\nversion = 4\n\n[[package]]\nname = \"cortex-m\"\nversion = \"0.7.7\"\n\
         source = \"registry+https://github.com/rust-lang/crates.io-index\"\n\
         checksum = \"8ec610d8f49840a5b376c69663b6369e71f4b34484b9b2eb29fb918d92516cb9\"\n\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\n",
    );
    let registry = "cargo/registry/src/index.crates.io-1949cf8c6b5b557f";
    write(
        &root,
        &format!("{registry}/cortex-m-0.7.7/Cargo.toml"),
        "[package]\nlicense = \"MIT OR Apache-2.0\"\n",
    );
    write(&root, &format!("{registry}/cortex-m-0.7.7/src/asm.c"), "int krate(int x) { return x + 4; }\n");
    write(&root, &format!("{registry}/bare-metal-0.2.5/src/lib.c"), "int path(int x) { return x + 6; }\n");
    dir
}

#[test]
fn manifests_of_west_esp_idf_platformio_and_cargo_name_what_was_linked() {
    let dir = project_with_manifests();
    let root = dir.path().canonicalize().unwrap().join("workspace/app");
    let registry = "cargo/registry/src/index.crates.io-1949cf8c6b5b557f";
    let top = root.parent().unwrap();
    let output = Command::new("arm-none-eabi-gcc")
        .current_dir(&root)
        .args([
            "-mcpu=cortex-m4",
            "-mthumb",
            "-g",
            "-O1",
            "--specs=nosys.specs",
            "-o",
            "app.elf",
            "src/main.c",
        ])
        .args([top.join("modules/lib/zcbor/src/zcbor.c"), top.join("nrfxlib/crypto/nrf_oberon.c")])
        .args(["managed_components/espressif__led_strip/src/led.c"])
        .args([".pio/libdeps/esp32dev/PubSubClient/src/mqtt.c"])
        .args([
            format!("{registry}/cortex-m-0.7.7/src/asm.c"),
            format!("{registry}/bare-metal-0.2.5/src/lib.c"),
        ])
        .output()
        .expect("arm-none-eabi-gcc is installed by `cargo xtask setup`");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let bom = sbom(&root, &root.join("app.elf"), None);
    validate(&bom);
    for (name, version, purl, licence) in [
        (
            "cbor",
            "47f34dd7f5284e8750b5a715dee7f77c6c5bdc3f",
            "pkg:github/zephyrproject-rtos/zcbor@47f34dd7f5284e8750b5a715dee7f77c6c5bdc3f",
            None,
        ),
        ("nrfxlib", "v2.6.0", "pkg:github/nrfconnect/nrfxlib@v2.6.0", None),
        (
            "espressif/led_strip",
            "2.5.4",
            "pkg:generic/espressif-component/espressif/led_strip@2.5.4",
            Some("Apache-2.0"),
        ),
        ("PubSubClient", "2.8.0", "pkg:generic/platformio/knolleary/PubSubClient@2.8.0", Some("MIT")),
        ("cortex-m", "0.7.7", "pkg:cargo/cortex-m@0.7.7", None),
        ("bare-metal", "0.2.5", "pkg:cargo/bare-metal@0.2.5", None),
    ] {
        let component = named(&bom, name);
        assert_eq!((&component["version"], &component["purl"]), (&version.into(), &purl.into()));
        if let Some(licence) = licence {
            assert_eq!(component["licenses"][0]["license"]["id"], licence, "{component:#}");
        }
    }
    assert_eq!(named(&bom, "cortex-m")["licenses"][0]["expression"], "MIT OR Apache-2.0");
    for (name, digest) in [
        ("cortex-m", "8ec610d8f49840a5b376c69663b6369e71f4b34484b9b2eb29fb918d92516cb9"),
        ("espressif/led_strip", "28c6509a727ef74925b372ed404772aeedf11cce10b78c3f69b3c66799095e2d"),
    ] {
        let reference = &named(&bom, name)["externalReferences"][0];
        assert_eq!(
            (&reference["type"], &reference["hashes"][0]["alg"], &reference["hashes"][0]["content"]),
            (&"distribution".into(), &"SHA-256".into(), &digest.into())
        );
    }
    // Not in the lock file: nothing is said that nobody stated.
    assert!(named(&bom, "bare-metal")["externalReferences"].is_null());
}

#[test]
fn damaged_manifests_cost_only_what_they_would_have_said() {
    let dir = project_with_manifests();
    let root = dir.path().canonicalize().unwrap().join("workspace/app");
    for name in ["west.yml", "dependencies.lock", "Cargo.lock", ".pio/libdeps/esp32dev/PubSubClient/.piopm"] {
        write(&root, name, "\u{0}{{{ : not - a [manifest\n");
    }
    let found = super::manifests::Manifests::of(&root).declared;
    let names: Vec<&str> = found.iter().map(|declared| declared.name.as_str()).collect();
    assert_eq!(names, ["PubSubClient", "espressif/led_strip"], "read from what is left");
}

#[test]
fn without_map_or_debug_information_something_is_still_said() {
    let dir = project();
    let root = dir.path().canonicalize().unwrap();
    let (elf, map) = build(&root);
    let no_map = sbom(&root, &elf, None);
    validate(&no_map);
    assert_eq!(named(&no_map, "FreeRTOS-Kernel")["version"], "10.4.6");

    assert!(Command::new("arm-none-eabi-strip").arg("-g").arg(&elf).status().unwrap().success());
    let stripped = sbom(&root, &elf, Some(&map));
    validate(&stripped);
    named(&stripped, "newlib");
    let nothing = sbom(&root, &elf, None);
    validate(&nothing);
    assert_eq!(named(&nothing, "unattributed code")["properties"][0]["value"], "unknown");
}

#[test]
fn sources_that_are_gone_are_hashed_by_their_code() {
    let dir = project();
    let root = dir.path().canonicalize().unwrap();
    let (elf, map) = build(&root);
    fs::remove_file(root.join("Middlewares/lwip/src/core/tcp.c")).unwrap();
    let bom = sbom(&root, &elf, Some(&map));
    let lwip = named(&bom, "lwIP");
    assert!(
        lwip["properties"].to_string().contains("linked-code") && lwip["hashes"][0]["content"].is_string(),
        "{lwip}"
    );
}

#[test]
fn bad_images_are_errors_that_say_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let junk = dir.path().join("junk.elf");
    fs::write(&junk, b"\x7fELF not really").unwrap();
    let input = |elf| SbomInput {
        elf,
        map: None,
        project: dir.path(),
        name: "x",
        version: None,
        model: None,
        fwai_version: "0",
    };
    assert!(generate(&input(&junk)).unwrap_err().to_string().contains("name the ELF file"));
    let missing = dir.path().join("missing.elf");
    assert!(generate(&input(&missing)).unwrap_err().to_string().contains("build first"));
}

#[test]
fn map_lines_of_both_shapes_are_read() {
    let map = "Discarded input sections\n .text.x 0x00000000 0x10 gone.o\nLinker script and memory map\n \
               .text.main     0x08000100       0x20 build/main.o\n .text.a_very_long_section_name\n                0x08000120        0x8 /lib/libc.a(libc_a-memcpy.o)\n \
               .debug_info    0x00000000      0x100 build/main.o\n *fill*         0x08000128        0x4 \n";
    let members = members(map);
    assert_eq!(members.len(), 2, "{members:?}");
    assert_eq!((members[0].archive.as_deref(), members[0].bytes), (Some("/lib/libc.a"), 8));
    assert_eq!((members[1].object.as_str(), members[1].bytes), ("build/main.o", 32));
}

#[test]
fn the_record_names_the_components() {
    let bom = serde_json::json!({"components": [{"name": "lwIP", "version": "2.1.3"}, {"name": "x"}]});
    assert_eq!(summary(&bom, b"text", "sbom.cdx.json").components, ["lwIP 2.1.3", "x"]);
}

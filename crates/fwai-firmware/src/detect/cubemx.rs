//! STM32CubeMX: the `.ioc` file knows the exact chip, the clocks and the serial settings.

use super::chips;
use super::findings::Findings;
use super::source::{At, Source};
use super::syntax::ini;
use super::tree::parent;
use super::view::View;

pub fn detect(view: View<'_>, findings: &mut Findings) {
    let Some(path) = view
        .with_extension("ioc", 2)
        .find(|path| parent(path) == view.dir)
        .or_else(|| view.with_extension("ioc", 2).next())
    else {
        return;
    };
    let Some(source) = view.tree.text(path) else { return };
    let entries = ini::entries(&source.text);
    let get = |key: &str| {
        entries
            .iter()
            .find(|entry| entry.key == key)
            .map(|entry| (entry.value.replace("\\ ", " ").replace("\\:", ":"), source.at(entry.line)))
    };
    let mut marker: Option<At> = None;
    for (key, confidence) in [
        ("Mcu.CPN", 0.98),
        ("Mcu.UserName", 0.97),
        ("PCC.PartNumber", 0.95),
        ("ProjectManager.DeviceId", 0.94),
        ("Mcu.Name", 0.8),
    ] {
        if let Some((value, at)) = get(key).filter(|(value, _)| !value.is_empty()) {
            // `STM32F401C(B-C)Ux` stands for several chips; what is before the bracket is sure.
            let plain = value.split('(').next().unwrap_or(&value);
            let name = chips::part_in(plain).map_or_else(|| plain.to_owned(), |part| part.name);
            findings.add("mcu", name, at.clone(), confidence);
            marker.get_or_insert(at);
        }
    }
    if let Some((board, at)) = get("board").filter(|(board, _)| board != "custom" && !board.is_empty()) {
        findings.add("board", board, at, 0.93);
    }
    for (key, confidence) in
        [("RCC.SYSCLKFreq_VALUE", 0.97), ("RCC.HCLKFreq_Value", 0.95), ("RCC.CortexFreq_Value", 0.9)]
    {
        if let Some((value, at)) = get(key).filter(|(value, _)| value.parse::<u64>().is_ok()) {
            findings.add("clock_hz", value, at, confidence);
        }
    }
    if let Some((name, at)) = get("ProjectManager.ProjectName") {
        findings.add("name", name, at, 0.82);
    }
    for entry in &entries {
        let at = || source.at(entry.line);
        if entry.key.ends_with(".BaudRate") && (entry.key.contains("UART") || entry.key.contains("USART")) {
            findings.add("serial_baud", &entry.value, at(), 0.93);
        }
        if entry.key.starts_with("Mcu.IP") && entry.value == "FREERTOS" {
            findings.add("rtos", "freertos", at(), 0.96);
        }
        if entry.key.starts_with("Mcu.IP") && entry.value.contains("THREADX") {
            findings.add("rtos", "threadx", at(), 0.94);
        }
    }
    system(
        view,
        &source,
        get("ProjectManager.TargetToolchain"),
        marker,
        get("ProjectManager.ProjectName"),
        findings,
    );
}

/// The `.ioc` names a tool chain; CMake and Make have files of their own that say more.
fn system(
    view: View<'_>,
    source: &Source,
    toolchain: Option<(String, At)>,
    marker: Option<At>,
    name: Option<(String, At)>,
    findings: &mut Findings,
) {
    let at = toolchain.as_ref().map(|(_, at)| at.clone()).or(marker).unwrap_or_else(|| source.at(1));
    findings.add("build_system", "stm32cubemx", at.clone(), 0.55);
    if view.text("Debug/makefile").is_some() || view.text("Debug/Makefile").is_some() {
        findings.add_for("stm32cubemx", "build_command", view.command("make -C Debug all"), at.clone(), 0.75);
        findings.add_for("stm32cubemx", "build_dir", view.path("Debug"), at, 0.75);
    } else if let (Some((toolchain, at)), Some((name, _))) = (toolchain, name)
        && toolchain.contains("CubeIDE")
    {
        let command = format!(
            "stm32cubeidec --launcher.suppressErrors -nosplash -application org.eclipse.cdt.managedbuilder.core.headlessbuild -data .cubeide -import . -build {}/Debug",
            super::view::quoted(&name)
        );
        findings.add_for("stm32cubemx", "build_command", view.command(&command), at.clone(), 0.6);
        findings.add_for("stm32cubemx", "elf", view.path(&format!("Debug/{name}.elf")), at, 0.7);
    }
}

//! What an editor's debug configuration knows: chip, SVD file, probe, OpenOCD files.

use serde_json::Value;

use super::findings::Findings;
use super::syntax::json;
use super::view::View;
use super::{chips, openocd};

pub fn detect(view: View<'_>, findings: &mut Findings) {
    let Some(source) = view.text(".vscode/launch.json") else { return };
    let Some(value) = json::parse(&source.text) else { return };
    let Some(configurations) = value.get("configurations").and_then(Value::as_array) else { return };
    for configuration in configurations.iter().take(20) {
        let text = |key: &str| {
            configuration
                .get(key)
                .and_then(Value::as_str)
                .filter(|text| !text.is_empty() && !text.contains("${config"))
        };
        let at = |key: &str, value: &str| source.find_pair(key, value).unwrap_or_else(|| source.at(1));
        for key in ["device", "chip"] {
            if let Some(device) = text(key) {
                let name = chips::whole_part(device).map_or_else(|| device.to_owned(), |part| part.name);
                findings.add("mcu", name, at(key, device), 0.82);
            }
        }
        for key in ["svdFile", "svdPath"] {
            if let Some(svd) = text(key) {
                let plain = svd.replace("${workspaceFolder}/", "").replace("${workspaceRoot}/", "");
                findings.add("svd", plain.trim_start_matches("./"), at(key, svd), 0.88);
            }
        }
        if let Some(server) = text("servertype") {
            openocd::interface(server, &at("servertype", server), 0.7, findings);
        }
        if let Some(interface) =
            text("interface").filter(|interface| *interface != "swd" && *interface != "jtag")
        {
            openocd::interface(interface, &at("interface", interface), 0.75, findings);
        }
        if let Some(program) = text("executable").or_else(|| text("program")) {
            let plain = program.replace("${workspaceFolder}/", "").replace("${workspaceRoot}/", "");
            let plain = plain.trim_start_matches("./");
            if !plain.contains("${") {
                findings.add("elf", plain, at("", program), 0.6);
            }
        }
        for file in configuration
            .get("configFiles")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
        {
            let at = at("", file);
            openocd::command_line(&format!("openocd -f {file}"), &at, findings);
            findings.add("openocd_config", file.replace("${workspaceFolder}/", ""), at, 0.8);
        }
        if let Some(gdb) =
            text("gdbPath").or_else(|| text("miDebuggerPath")).filter(|gdb| !gdb.contains("${"))
        {
            findings.add("gdb", gdb, at("", gdb), 0.6);
        }
    }
}

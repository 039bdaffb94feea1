//! CycloneDX 1.6 JSON.

use serde_json::{Value, json};

use super::{digest::Digests, generate::ModelRef, manifests::Package};

/// Locations that are listed of one component; the count is always given.
const MOST_LOCATIONS: usize = 500;

pub(super) struct Bom<'a> {
    pub name: &'a str,
    pub version: Option<&'a str>,
    pub fwai_version: &'a str,
    pub image: Digests,
    pub image_name: &'a str,
    pub components: Vec<Component>,
    pub tools: Vec<Tool>,
    pub model: Option<ModelRef>,
}

#[derive(Debug, Default)]
pub(super) struct Component {
    pub name: String,
    pub version: Option<String>,
    pub supplier: Option<String>,
    pub purl: Option<String>,
    pub licence: Option<String>,
    pub digests: Option<Digests>,
    /// What the digests cover: `archives`, `linked-sources` or `linked-code`.
    pub hash_of: &'static str,
    pub declared_in: Option<&'static str>,
    /// What was fetched, with the digest that a lock file states.
    pub package: Option<Package>,
    pub files: Vec<String>,
    pub bytes: u64,
    pub is_own: bool,
    pub is_unknown: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Tool {
    pub name: String,
    pub version: Option<String>,
    pub purl: String,
}

pub(super) fn cyclonedx(bom: &Bom<'_>) -> Value {
    let mut refs: Vec<String> = Vec::new();
    let components: Vec<Value> = bom
        .components
        .iter()
        .map(|component| {
            let reference = unique_reference(&refs, component);
            refs.push(reference.clone());
            component_value(component, &reference)
        })
        .collect();
    let image_ref = format!("firmware:{}", bom.image.sha256);
    let mut firmware = json!({
        "type": "firmware",
        "bom-ref": image_ref,
        "name": bom.name,
        "hashes": hashes(&bom.image),
        "properties": [{"name": "fwai:image", "value": bom.image_name}],
    });
    if let Some(version) = bom.version {
        firmware["version"] = json!(version);
    }
    let mut dependencies = vec![json!({"ref": image_ref, "dependsOn": refs})];
    dependencies.extend(refs.iter().map(|reference| json!({"ref": reference})));
    json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": serial_number(&bom.image.sha256),
        "version": 1,
        "metadata": {
            "lifecycles": [{"phase": "post-build"}],
            "tools": {"components": [{"type": "application", "name": "fwai", "version": bom.fwai_version}]},
            "component": firmware,
        },
        "components": components,
        "dependencies": dependencies,
        "formulation": [{"bom-ref": "formulation", "components": formulation(bom)}],
    })
}

/// What made the firmware without being in it: compilers, fwai, the model.
fn formulation(bom: &Bom<'_>) -> Vec<Value> {
    let mut parts: Vec<Value> = bom
        .tools
        .iter()
        .map(|tool| {
            let version = tool.version.as_deref().unwrap_or("unknown");
            json!({
                "type": "application", "bom-ref": format!("tool:{}@{version}", tool.name),
                "name": tool.name, "version": version, "purl": tool.purl,
            })
        })
        .collect();
    parts.push(json!({
        "type": "application", "bom-ref": format!("tool:fwai@{}", bom.fwai_version),
        "name": "fwai", "version": bom.fwai_version,
    }));
    if let Some(model) = &bom.model {
        parts.push(json!({
            "type": "machine-learning-model", "bom-ref": format!("model:{}/{}", model.provider, model.name),
            "group": model.provider, "name": model.name,
        }));
    }
    parts
}

fn unique_reference(taken: &[String], component: &Component) -> String {
    let version = component.version.as_deref().map(|version| format!("@{version}")).unwrap_or_default();
    let kind = if component.is_unknown { "unknown:" } else { "" };
    let base = format!("{kind}{}{version}", component.name);
    let mut reference = base.clone();
    let mut number = 2;
    while taken.contains(&reference) {
        reference = format!("{base}#{number}");
        number += 1;
    }
    reference
}

fn hashes(digests: &Digests) -> Value {
    json!([{"alg": "SHA-256", "content": digests.sha256}, {"alg": "SHA-512", "content": digests.sha512}])
}

fn component_value(component: &Component, reference: &str) -> Value {
    let attribution = match (component.is_unknown, component.is_own) {
        (true, _) => "unknown",
        (_, true) => "project",
        _ => "component",
    };
    let mut properties = vec![
        json!({"name": "fwai:attribution", "value": attribution}),
        json!({"name": "fwai:hash-of", "value": component.hash_of}),
        json!({"name": "fwai:linked-bytes", "value": component.bytes.to_string()}),
        json!({"name": "fwai:linked-files", "value": component.files.len().to_string()}),
    ];
    if let Some(place) = component.declared_in {
        properties.push(json!({"name": "fwai:declared-in", "value": place}));
    }
    let mut value = json!({
        "type": if component.is_own { "application" } else { "library" },
        "bom-ref": reference,
        "name": component.name,
    });
    if let Some(supplier) = &component.supplier {
        value["supplier"] = json!({"name": supplier});
    }
    // A version that nobody states is said to be unknown, except for the project's own code.
    match &component.version {
        Some(version) => value["version"] = json!(version),
        None if !component.is_own => value["version"] = json!("unknown"),
        None => {}
    }
    if let Some(digests) = &component.digests {
        value["hashes"] = hashes(digests);
    }
    if let Some(licence) = &component.licence {
        value["licenses"] = licences(licence);
    }
    if let Some(purl) = &component.purl {
        value["purl"] = json!(purl);
    }
    if let Some(package) = &component.package {
        let hashes = json!([{"alg": "SHA-256", "content": package.sha256}]);
        value["externalReferences"] = json!([{"type": "distribution", "url": package.url, "hashes": hashes}]);
    }
    value["properties"] = json!(properties);
    if !component.files.is_empty() {
        let occurrences: Vec<Value> =
            component.files.iter().take(MOST_LOCATIONS).map(|file| json!({"location": file})).collect();
        value["evidence"] = json!({"occurrences": occurrences});
    }
    value
}

/// Identifiers that the CycloneDX schema surely lists; everything else goes as expression or name.
const PLAIN_IDS: [&str; 24] = [
    "MIT",
    "Apache-2.0",
    "BSD-1-Clause",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "Unlicense",
    "CC0-1.0",
    "GPL-2.0-only",
    "GPL-2.0-or-later",
    "GPL-3.0-only",
    "GPL-3.0-or-later",
    "LGPL-2.1-only",
    "LGPL-2.1-or-later",
    "LGPL-3.0-only",
    "LGPL-3.0-or-later",
    "MPL-2.0",
    "BSL-1.0",
    "0BSD",
    "EPL-2.0",
    "MIT-0",
    "X11",
    "Python-2.0",
];

fn licences(expression: &str) -> Value {
    if PLAIN_IDS.contains(&expression) {
        return json!([{"license": {"id": expression}}]);
    }
    let is_expression = [" OR ", " AND ", " WITH "].iter().any(|word| expression.contains(word));
    if is_expression {
        json!([{"expression": expression}])
    } else {
        json!([{"license": {"name": expression}}])
    }
}

/// A UUID (version 8) out of the image's hash, so that the same image gives the same SBOM.
fn serial_number(sha256: &str) -> String {
    let hex: Vec<char> = sha256.chars().take(32).collect();
    let part = |from: usize, to: usize| hex[from..to].iter().collect::<String>();
    format!("urn:uuid:{}-{}-8{}-a{}-{}", part(0, 8), part(8, 12), part(13, 16), part(17, 20), part(20, 32))
}

//! From XML to [`Svd`], leaving out what cannot be understood.

use std::{collections::HashMap, path::Path};

use roxmltree::{Document, Node, ParsingOptions};

use super::{
    EnumValue, Field, Peripheral, Register, Svd, SvdError,
    dim::{element_name, elements},
    number::{number, pattern, size_in_bits},
};

/// Clusters inside clusters deeper than this, and derivation chains longer than this, are damage.
const DEEPEST: usize = 16;
/// More registers than this in one file is damage.
const MOST_REGISTERS: usize = 1 << 20;

impl Svd {
    /// Read an SVD file that is already in memory; `path` is for messages.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self, SvdError> {
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
        let document = Document::parse_with_options(text, options)
            .map_err(|error| SvdError::Xml { path: path.to_path_buf(), what: error.to_string() })?;
        let device = document
            .descendants()
            .find(|node| node.has_tag_name("device"))
            .ok_or_else(|| SvdError::NoDevice { path: path.to_path_buf() })?;
        let mut reader = Reader::new(device);
        reader.read();
        Ok(reader.svd)
    }
}

/// What registers inherit from what encloses them.
#[derive(Clone, Default)]
struct Inherited {
    size: Option<u32>,
    access: Option<String>,
    reset_value: Option<u64>,
}

impl Inherited {
    fn with(&self, node: Node<'_, '_>) -> Self {
        Self {
            size: child_text(node, "size").and_then(size_in_bits).or(self.size),
            access: child_text(node, "access").map(str::to_string).or_else(|| self.access.clone()),
            reset_value: child_text(node, "resetValue").and_then(number).or(self.reset_value),
        }
    }
}

struct Reader<'a> {
    device: Node<'a, 'a>,
    peripherals: HashMap<&'a str, Node<'a, 'a>>,
    svd: Svd,
    registers: usize,
}

impl<'a> Reader<'a> {
    fn new(device: Node<'a, 'a>) -> Self {
        let named = peripheral_nodes(device).filter_map(|node| Some((child_text(node, "name")?, node)));
        Self { device, peripherals: named.collect(), svd: Svd::default(), registers: 0 }
    }

    fn read(&mut self) {
        self.svd.device = child_text(self.device, "name").unwrap_or_default().to_string();
        let defaults = Inherited { size: Some(32), ..Inherited::default() }.with(self.device);
        for node in peripheral_nodes(self.device) {
            self.peripheral(node, &defaults);
        }
    }

    fn note(&mut self, node: Node<'_, '_>, what: &str) {
        if self.svd.problems.len() < 100 {
            let line = node.document().text_pos_at(node.range().start).row;
            self.svd.problems.push(format!("line {line}: {what}"));
        }
    }

    fn peripheral(&mut self, node: Node<'a, 'a>, defaults: &Inherited) {
        let Some(name) = child_text(node, "name") else {
            return self.note(node, "a peripheral without a name");
        };
        let mut origin = Some(node);
        let mut chain = vec![node];
        while let Some(from) = origin.and_then(|node| node.attribute("derivedFrom")) {
            origin = self.peripherals.get(from.trim()).copied().filter(|node| !chain.contains(node));
            match origin {
                Some(node) if chain.len() < DEEPEST => chain.push(node),
                _ => {
                    self.note(node, &format!("peripheral {name} is derived from {from}, which is not there"));
                    break;
                }
            }
        }
        let own = |tag| chain.iter().find_map(|node| child_text(*node, tag));
        let Some(base) = own("baseAddress").and_then(number) else {
            return self.note(node, &format!("peripheral {name} has no base address"));
        };
        let inherited = chain.iter().rev().fold(defaults.clone(), |inherited, node| inherited.with(*node));
        let registers = chain.iter().find_map(|node| child(*node, "registers"));
        for (index, offset) in elements(node) {
            let mut peripheral = Peripheral {
                name: element_name(name, index.as_deref()),
                description: words(own("description")),
                base: base.wrapping_add(offset),
                registers: Vec::new(),
                interrupts: interrupts(node),
            };
            if let Some(registers) = registers {
                let place = Place { base: peripheral.base, prefix: String::new(), depth: 0 };
                self.registers(registers, &place, &inherited, &mut peripheral.registers);
            }
            self.svd.peripherals.push(peripheral);
        }
    }

    fn registers(
        &mut self,
        parent: Node<'a, 'a>,
        place: &Place,
        inherited: &Inherited,
        into: &mut Vec<Register>,
    ) {
        for node in parent.children() {
            match node.tag_name().name() {
                "register" => self.register(node, place, inherited, into),
                "cluster" => self.cluster(node, place, inherited, into),
                _ => {}
            }
        }
    }

    fn cluster(
        &mut self,
        node: Node<'a, 'a>,
        place: &Place,
        inherited: &Inherited,
        into: &mut Vec<Register>,
    ) {
        let chain = self.derivation(node, "cluster");
        let own = |tag| chain.iter().find_map(|node| child_text(*node, tag));
        let Some(name) = own("name") else { return self.note(node, "a cluster without a name") };
        if place.depth >= DEEPEST {
            return self.note(node, "clusters inside clusters without end");
        }
        let start = own("addressOffset").and_then(number).unwrap_or(0);
        let inherited = chain.iter().rev().fold(inherited.clone(), |inherited, node| inherited.with(*node));
        let holder =
            chain.iter().copied().find(|node| child(*node, "register").or(child(*node, "cluster")).is_some());
        for (index, offset) in elements(node) {
            let inner = Place {
                base: place.base.wrapping_add(start).wrapping_add(offset),
                prefix: format!("{}{}.", place.prefix, element_name(name, index.as_deref())),
                depth: place.depth + 1,
            };
            if let Some(holder) = holder {
                self.registers(holder, &inner, &inherited, into);
            }
        }
    }

    fn register(
        &mut self,
        node: Node<'a, 'a>,
        place: &Place,
        inherited: &Inherited,
        into: &mut Vec<Register>,
    ) {
        let chain = self.derivation(node, "register");
        let own = |tag| chain.iter().find_map(|node| child_text(*node, tag));
        let Some(name) = own("name") else { return self.note(node, "a register without a name") };
        let Some(start) = own("addressOffset").and_then(number) else {
            return self.note(node, &format!("register {name} has no address"));
        };
        let inherited = chain.iter().rev().fold(inherited.clone(), |inherited, node| inherited.with(*node));
        let fields_of = chain.iter().copied().find_map(|node| child(node, "fields"));
        let fields = fields_of.map(|fields| self.fields(fields)).unwrap_or_default();
        for (index, offset) in elements(node) {
            self.registers += 1;
            if self.registers > MOST_REGISTERS {
                return;
            }
            into.push(Register {
                name: format!("{}{}", place.prefix, element_name(name, index.as_deref())),
                description: words(own("description")),
                address: place.base.wrapping_add(start).wrapping_add(offset),
                size: inherited.size.unwrap_or(32),
                access: inherited.access.clone(),
                reset_value: inherited.reset_value,
                fields: fields.clone(),
                read_changes_state: own("readAction").is_some(),
            });
        }
    }

    fn fields(&mut self, parent: Node<'a, 'a>) -> Vec<Field> {
        let mut fields = Vec::new();
        for node in parent.children().filter(|node| node.has_tag_name("field")) {
            let chain = self.derivation(node, "field");
            let own = |tag| chain.iter().find_map(|node| child_text(*node, tag));
            let (Some(name), Some((start, width))) = (own("name"), bit_range(&chain)) else {
                self.note(node, "a field without a name or bits");
                continue;
            };
            let values = chain.iter().copied().find_map(|node| child(node, "enumeratedValues"));
            let values = values.map(|values| self.values(values)).unwrap_or_default();
            for (index, offset) in elements(node) {
                let Ok(offset) = u32::try_from(u64::from(start) + offset) else { continue };
                fields.push(Field {
                    name: element_name(name, index.as_deref()),
                    description: words(own("description")),
                    offset,
                    width,
                    access: own("access").map(str::to_string),
                    values: values.clone(),
                });
            }
        }
        fields
    }

    fn values(&mut self, node: Node<'a, 'a>) -> Vec<EnumValue> {
        let node = match node.attribute("derivedFrom") {
            None => node,
            Some(path) => {
                let wanted = path.rsplit('.').next().unwrap_or(path).trim();
                let named = |found: &Node<'_, '_>| {
                    found.has_tag_name("enumeratedValues") && child_text(*found, "name") == Some(wanted)
                };
                // The nearest register first: names of value lists repeat across peripherals.
                let near = node.ancestors().skip(1).take(5).find_map(|scope| scope.descendants().find(named));
                near.or_else(|| self.device.descendants().find(named)).unwrap_or(node)
            }
        };
        let listed = node.children().filter(|node| node.has_tag_name("enumeratedValue"));
        listed
            .filter_map(|node| {
                let is_default =
                    child_text(node, "isDefault").is_some_and(|text| matches!(text, "true" | "1"));
                let value = child_text(node, "value").and_then(pattern);
                let (value, mask) = if is_default { value.unwrap_or_default() } else { value? };
                Some(EnumValue {
                    name: child_text(node, "name").unwrap_or_default().to_string(),
                    description: words(child_text(node, "description")),
                    value,
                    mask,
                    is_default,
                })
            })
            .collect()
    }

    /// The element and those it is derived from, nearest first. A path such as `TIM1.CR1` names its
    /// peripheral; a bare name is looked for among its siblings and then outwards.
    fn derivation(&self, node: Node<'a, 'a>, tag: &str) -> Vec<Node<'a, 'a>> {
        let mut chain = vec![node];
        while let Some(path) = chain.last().and_then(|node| node.attribute("derivedFrom")) {
            let from = chain[chain.len() - 1];
            match self.resolve(from, path.trim(), tag) {
                Some(found) if !chain.contains(&found) && chain.len() < DEEPEST => chain.push(found),
                _ => break,
            }
        }
        chain
    }

    fn resolve(&self, from: Node<'a, 'a>, path: &str, tag: &str) -> Option<Node<'a, 'a>> {
        let is_named = |node: &Node<'_, '_>, name: &str| {
            node.has_tag_name(tag) && child_text(*node, "name").map(str::trim) == Some(name)
        };
        let name = path.rsplit('.').next()?;
        if let Some((first, _)) = path.split_once('.')
            && let Some(peripheral) = self.peripherals.get(first)
        {
            let mut outer: Vec<&str> = path.split('.').skip(1).collect();
            outer.pop();
            let scope = outer.iter().try_fold(*peripheral, |scope, name| {
                scope.descendants().find(|node| child_text(*node, "name") == Some(*name))
            });
            return scope?.descendants().find(|node| is_named(node, name));
        }
        let is_other = |node: &Node<'a, 'a>| *node != from && is_named(node, name);
        from.ancestors().skip(1).take(8).find_map(|scope| scope.descendants().find(is_other))
    }
}

struct Place {
    base: u64,
    prefix: String,
    depth: usize,
}

fn peripheral_nodes<'a>(device: Node<'a, 'a>) -> impl Iterator<Item = Node<'a, 'a>> {
    let lists = device.children().filter(|node| node.has_tag_name("peripherals"));
    lists.flat_map(|list| list.children().filter(|node| node.has_tag_name("peripheral")))
}

fn bit_range(chain: &[Node<'_, '_>]) -> Option<(u32, u32)> {
    let (low, high) = chain.iter().find_map(|node| {
        let value = |tag| child_text(*node, tag).and_then(number);
        if let Some(low) = value("bitOffset") {
            return Some((low, low.checked_add(value("bitWidth").unwrap_or(1).checked_sub(1)?)?));
        }
        if let (Some(low), Some(high)) = (value("lsb"), value("msb")) {
            return Some((low, high));
        }
        let (high, low) = child_text(*node, "bitRange")?.trim().trim_matches(['[', ']']).split_once(':')?;
        Some((number(low)?, number(high)?))
    })?;
    let (low, high) = (low.min(high), low.max(high));
    (high < 64).then(|| (low as u32, (high - low + 1) as u32))
}

fn interrupts(node: Node<'_, '_>) -> Vec<(String, u32)> {
    let listed = node.children().filter(|node| node.has_tag_name("interrupt"));
    listed
        .filter_map(|node| {
            let value = child_text(node, "value").and_then(number)?;
            Some((child_text(node, "name")?.to_string(), u32::try_from(value).ok()?))
        })
        .collect()
}

fn child<'a>(node: Node<'a, 'a>, tag: &str) -> Option<Node<'a, 'a>> {
    node.children().find(|child| child.has_tag_name(tag))
}

/// The trimmed text of the first child with this tag; `None` when it is empty.
pub(super) fn child_text<'a>(node: Node<'a, '_>, tag: &str) -> Option<&'a str> {
    let child = node.children().find(|child| child.has_tag_name(tag))?;
    child.text().map(str::trim).filter(|text| !text.is_empty())
}

/// A description on one line.
fn words(text: Option<&str>) -> String {
    text.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

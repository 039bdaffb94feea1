//! The files of texts: embedded, indexed when the first text is needed, and each text parsed only when it
//! is used. English stands in for what another language lacks.

use super::choice::{Language, current, tag_of};
use fluent_bundle::{FluentArgs, FluentResource, FluentValue, concurrent::FluentBundle};
use std::{
    collections::HashMap,
    sync::{Mutex, OnceLock, PoisonError},
};

/// Every text of a language. Help and errors have files of their own: their English is the doc comments, and
/// what the errors themselves say.
pub(super) const fn files(language: Language) -> &'static [&'static str] {
    match language {
        Language::English => {
            &[include_str!("../../locales/en.ftl"), include_str!("../../locales/en.said.ftl")]
        }
        Language::TraditionalChinese => &[
            include_str!("../../locales/zh-TW.ftl"),
            include_str!("../../locales/zh-TW.help.ftl"),
            include_str!("../../locales/zh-TW.errors.ftl"),
            include_str!("../../locales/zh-TW.said.ftl"),
        ],
        Language::SimplifiedChinese => &[
            include_str!("../../locales/zh-CN.ftl"),
            include_str!("../../locales/zh-CN.help.ftl"),
            include_str!("../../locales/zh-CN.errors.ftl"),
            include_str!("../../locales/zh-CN.said.ftl"),
        ],
    }
}

/// A text with its variables. A key that does not exist is shown as itself; a test sees to it that none is.
pub fn text(key: &str, arguments: &[(&'static str, String)]) -> String {
    format(current(), key, None, arguments)
        .or_else(|| format(Language::English, key, None, arguments))
        .unwrap_or_else(|| key.to_owned())
}

/// A text whose English lives elsewhere: nothing while English is spoken, or where it is not translated.
pub fn translation(
    key: &str,
    attribute: Option<&str>,
    arguments: &[(&'static str, String)],
) -> Option<String> {
    match current() {
        Language::English => None,
        language => format(language, key, attribute, arguments),
    }
}

struct Catalogue {
    /// Each message as it stands in the file.
    sources: HashMap<&'static str, &'static str>,
    bundle: FluentBundle<FluentResource>,
}

impl Catalogue {
    fn new(language: Language) -> Self {
        let mut bundle =
            FluentBundle::new_concurrent(vec![tag_of(language).parse().expect("a language tag")]);
        // Marks around variables are for mixed directions of writing, and garble copied commands.
        bundle.set_use_isolating(false);
        let sources = files(language).iter().flat_map(|file| messages(file)).collect();
        Self { sources, bundle }
    }

    fn format(&mut self, key: &str, attribute: Option<&str>, arguments: &FluentArgs<'_>) -> Option<String> {
        if !self.bundle.has_message(key) {
            let source = *self.sources.get(key)?;
            let resource = FluentResource::try_new(source.to_owned()).ok()?;
            self.bundle.add_resource(resource).ok()?;
        }
        let message = self.bundle.get_message(key)?;
        let pattern = match attribute {
            Some(name) => message.get_attribute(name)?.value(),
            None => message.value()?,
        };
        Some(self.bundle.format_pattern(pattern, Some(arguments), &mut Vec::new()).into_owned())
    }
}

fn format(
    language: Language,
    key: &str,
    attribute: Option<&str>,
    arguments: &[(&'static str, String)],
) -> Option<String> {
    static CATALOGUES: [OnceLock<Mutex<Catalogue>>; 3] = [OnceLock::new(), OnceLock::new(), OnceLock::new()];
    let given = arguments.iter().map(|(name, value)| (*name, argument(value))).collect();
    let catalogue = CATALOGUES[language as usize].get_or_init(|| Mutex::new(Catalogue::new(language)));
    catalogue.lock().unwrap_or_else(PoisonError::into_inner).format(key, attribute, &given)
}

/// Whole numbers choose the plural; all else is words.
fn argument(text: &str) -> FluentValue<'_> {
    let is_number = text.len() < 15 && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse::<u64>() {
        Ok(number) if is_number && (text == "0" || !text.starts_with('0')) => FluentValue::from(number),
        _ => FluentValue::from(text),
    }
}

/// The messages of a file, each with the lines that belong to it. A message begins in the first column.
pub(super) fn messages(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(file.match_indices('\n').map(|(at, _)| at + 1))
        .filter(|at| file.as_bytes().get(*at).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'#'))
        .collect();
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([file.len()]).collect();
    starts.into_iter().zip(ends).filter_map(|(start, end)| {
        let source = &file[start..end];
        let (key, _) = source.split_once('=')?;
        (!source.starts_with('#')).then(|| (key.trim_end(), source))
    })
}

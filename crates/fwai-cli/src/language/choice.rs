//! Which language is spoken: flag, `FWAI_LANG`, `ui.language`, then the locale of the environment.

use fwai_app::paths::Paths;
use fwai_schema::document::{Document, lookup};
use std::{
    path::Path,
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

pub use fwai_schema::config::Language;

static ASKED: OnceLock<(Option<Language>, Paths)> = OnceLock::new();
static CHOSEN: OnceLock<Language> = OnceLock::new();
/// How many commands are at work whose output a program reads.
static FOR_MACHINES: AtomicUsize = AtomicUsize::new(0);

/// Remembers what decides; nothing is read before the first text is needed.
pub fn begin(flag: Option<Language>, paths: &Paths) {
    let _ = ASKED.set((flag, paths.clone()));
}

/// The language of the next text.
pub fn current() -> Language {
    if FOR_MACHINES.load(Ordering::Relaxed) > 0 {
        return Language::English;
    }
    *CHOSEN.get_or_init(|| {
        let (flag, paths) = ASKED.get_or_init(from_arguments);
        let variable = |name: &str| std::env::var(name).ok();
        let asked = flag.or_else(|| variable("FWAI_LANG").as_deref().and_then(parse)).or_else(|| {
            [paths.project_config(), paths.user_config()].iter().find_map(|file| configured(file))
        });
        choose(asked, &variable)
    })
}

/// The tag of the language, for `--lang`.
pub fn tag() -> &'static str {
    tag_of(current())
}

pub(super) fn tag_of(language: Language) -> &'static str {
    match language {
        Language::English => "en",
        Language::TraditionalChinese => "zh-TW",
        Language::SimplifiedChinese => "zh-CN",
    }
}

/// English, as long as what this returns lives. What a program reads must not depend on a locale.
pub fn for_machines(wanted: bool) -> Option<ForMachines> {
    wanted.then(|| {
        FOR_MACHINES.fetch_add(1, Ordering::Relaxed);
        ForMachines
    })
}

pub struct ForMachines;

impl Drop for ForMachines {
    fn drop(&mut self) {
        FOR_MACHINES.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The language that a tag or a locale's name means; nothing for languages that fwai does not speak.
pub fn parse(tag: &str) -> Option<Language> {
    let name = tag.split(['.', '@']).next().unwrap_or_default().to_ascii_lowercase();
    let mut parts = name.split(['_', '-']);
    match parts.next()? {
        "en" | "c" | "posix" => Some(Language::English),
        "zh" => {
            let rest: Vec<&str> = parts.collect();
            let has = |any: &[&str]| rest.iter().any(|part| any.contains(part));
            // A script says more than a country.
            let traditional = !has(&["hans"]) && has(&["hant", "tw", "hk", "mo"]);
            Some(if traditional { Language::TraditionalChinese } else { Language::SimplifiedChinese })
        }
        _ => None,
    }
}

fn choose(asked: Option<Language>, variable: &dyn Fn(&str) -> Option<String>) -> Language {
    let set = |names: &[&str]| names.iter().find_map(|name| variable(name).filter(|value| !value.is_empty()));
    // A terminal of another encoding shows anything but ASCII as rubbish.
    let encoding = set(&["LC_ALL", "LC_CTYPE", "LANG"]).and_then(|locale| {
        let encoding = locale.split_once('.')?.1.split('@').next()?.to_ascii_lowercase();
        Some(encoding.replace('-', ""))
    });
    if encoding.is_some_and(|encoding| encoding != "utf8") {
        return Language::English;
    }
    if let Some(asked) = asked {
        return asked;
    }
    // The console of a bare Linux machine has no Chinese characters.
    if variable("TERM").as_deref() == Some("linux") {
        return Language::English;
    }
    // As gettext has it: LANGUAGE goes before the locale, unless that is the locale of programs.
    let locale = set(&["LC_ALL", "LC_MESSAGES", "LANG"]);
    let is_plain = |name: &String| matches!(name.split('.').next(), Some("C" | "POSIX"));
    let wishes = set(&["LANGUAGE"]).filter(|_| !locale.as_ref().is_some_and(is_plain));
    let first_wish = wishes.iter().flat_map(|wishes| wishes.split(':')).find_map(parse);
    first_wish.or_else(|| parse(&locale?)).unwrap_or(Language::English)
}

/// `ui.language` of one file. A file that cannot be read is somebody else's complaint.
fn configured(file: &Path) -> Option<Language> {
    let text = std::fs::read_to_string(file).ok().filter(|text| text.contains("language"))?;
    let document = Document::parse("config", &text).ok()?;
    parse(lookup(&document.root.to_json(), "ui.language")?.as_str()?)
}

/// The same facts from the bare command line, for one that could not be understood.
fn from_arguments() -> (Option<Language>, Paths) {
    let arguments: Vec<String> =
        std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let value = |names: &[&str]| {
        arguments.iter().enumerate().find_map(|(at, word)| {
            let joined = names.iter().find_map(|name| word.strip_prefix(&format!("{name}=")));
            joined.or_else(|| {
                names.contains(&word.as_str()).then(|| arguments.get(at + 1))?.map(String::as_str)
            })
        })
    };
    let start = value(&["-C", "--directory"]).unwrap_or(".");
    (value(&["--lang"]).and_then(parse), Paths::find(Path::new(start)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Language::{English, SimplifiedChinese, TraditionalChinese};

    #[test]
    fn tags_and_locales_name_languages() {
        for name in ["zh_TW.UTF-8", "zh-TW", "zh_HK", "zh_MO.utf8", "zh-Hant", "zh-Hant-CN", "ZH_tw@x"] {
            assert_eq!(parse(name), Some(TraditionalChinese), "{name}");
        }
        for name in ["zh_CN.UTF-8", "zh_SG", "zh", "zh-Hans", "zh-Hans-HK", "zh_CN"] {
            assert_eq!(parse(name), Some(SimplifiedChinese), "{name}");
        }
        for name in ["en_GB.UTF-8", "C", "C.UTF-8", "POSIX"] {
            assert_eq!(parse(name), Some(English), "{name}");
        }
        for name in ["de_DE.UTF-8", "", "tlh", "../../zh"] {
            assert_eq!(parse(name), None, "{name}");
        }
    }

    fn check(environment: &[(&str, &str)], asked: Option<Language>, expect: Language) {
        let variable =
            |name: &str| environment.iter().find(|(known, _)| *known == name).map(|(_, v)| (*v).to_owned());
        assert_eq!(choose(asked, &variable), expect, "{environment:?} {asked:?}");
    }

    #[test]
    fn the_first_that_speaks_decides() {
        check(&[], None, English);
        check(&[("LANG", "zh_TW.UTF-8")], None, TraditionalChinese);
        check(&[("LANG", "zh_TW.UTF-8"), ("LC_ALL", "C")], None, English);
        check(&[("LANG", "en_US.UTF-8"), ("LC_MESSAGES", "zh_CN.UTF-8")], None, SimplifiedChinese);
        check(&[("LANG", "de_DE.UTF-8")], None, English);
        check(&[("LANG", "zh_TW.UTF-8"), ("LANGUAGE", "en")], None, English);
        check(&[("LANG", "en_US.UTF-8"), ("LANGUAGE", "fr:zh_CN:en")], None, SimplifiedChinese);
        check(&[("LANGUAGE", "zh_TW")], None, TraditionalChinese);
        check(&[("LANG", "C"), ("LANGUAGE", "zh_TW")], None, English);
        check(&[("LANG", "zh_TW.UTF-8"), ("LC_ALL", "")], None, TraditionalChinese);
        check(&[("LANG", "zh_TW.UTF-8")], Some(English), English);
        check(&[("LANG", "C")], Some(SimplifiedChinese), SimplifiedChinese);
    }

    #[test]
    fn terminals_that_cannot_show_it_get_english() {
        check(&[("LANG", "zh_TW.Big5")], None, English);
        check(&[("LANG", "zh_TW.UTF-8"), ("LC_CTYPE", "zh_TW.Big5")], None, English);
        check(&[("LANG", "zh_CN.GB18030")], Some(SimplifiedChinese), English);
        check(&[("LANG", "zh_TW.UTF-8"), ("TERM", "linux")], None, English);
        check(&[("LANG", "zh_TW")], None, TraditionalChinese);
    }
}

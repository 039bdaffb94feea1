//! No text of a path maps outside the root, and no text of a command panics the reader.

use fwai_policy::{paths, shell::parse::parse};
use proptest::prelude::*;

fn hostile_paths() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("..".to_owned()),
        Just(".".to_owned()),
        Just("/".to_owned()),
        Just("//".to_owned()),
        Just("a".to_owned()),
        Just("~".to_owned()),
        Just("\0".to_owned()),
        Just("...".to_owned()),
        Just("\\..\\".to_owned()),
        Just("%2e%2e".to_owned()),
        Just("..\u{200b}".to_owned()),
        Just("/p".to_owned()),
        Just("root".to_owned()),
        any::<String>(),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.join("/"))
}

proptest! {
    #[test]
    fn no_path_text_maps_outside_the_root(text in hostile_paths(), cwd in prop_oneof![Just("/p/root"), Just("/p/root/deep/er"), Just("/")]) {
        if let Ok(path) = paths::inside_project("/p/root", cwd, &text) {
            prop_assert!(!path.as_str().starts_with('/'));
            prop_assert!(path.components().all(|name| name != ".." && name != "." && !name.contains('\0')));
            // Resolving the answer again, from the root, gives the same file and is still inside.
            let again = paths::absolute("/p/root", path.as_str());
            prop_assert!(again == "/p/root" || again.starts_with("/p/root/"), "{again}");
            prop_assert_eq!(paths::absolute(cwd, &text), again);
        }
    }

    #[test]
    fn any_text_is_read_without_panicking(text in any::<String>()) {
        parse(&text);
    }

    #[test]
    fn shell_like_text_is_read_without_panicking(pieces in proptest::collection::vec(
        prop_oneof![
            Just("$("), Just("("), Just(")"), Just("`"), Just("\""), Just("'"), Just("\\"), Just("\n"), Just("<<EOF"), Just("EOF\n"), Just("ls"), Just("|"), Just("&&"),
            Just(";;"), Just("case x in"), Just("esac"), Just("{"), Just("}"), Just("${"), Just("$(("), Just("))"), Just("[["), Just("]]"), Just(" "), Just("ä"), Just("$'\\x"),
            Just("for i in"), Just("do"), Just("done"), Just("f()"), Just(">"), Just("2>&1"), Just("a=("), Just("#"),
        ], 0..24)) {
        parse(&pieces.concat());
    }
}

#[test]
fn refusals_say_what_is_wrong() {
    let refusal = |text: &str| paths::inside_project("/p", "/p", text).unwrap_err().to_string();
    assert!(refusal("").contains("empty"));
    assert!(refusal("../x").contains("../x is outside the project"));
    assert!(refusal("/etc/passwd").contains("outside the project"));
    assert!(refusal("a\0b").contains("NUL"));
    assert!(refusal(&"x/".repeat(3000)).contains("longer"));
}

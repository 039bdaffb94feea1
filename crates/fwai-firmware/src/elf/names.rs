//! Symbol names as people wrote them.

/// The name as a person wrote it, when the linker's is a C++ or Rust encoding of it.
pub fn demangled(name: &str) -> Option<String> {
    if let Ok(rust) = rustc_demangle::try_demangle(name) {
        return Some(format!("{rust:#}"));
    }
    if !name.starts_with("_Z") && !name.starts_with("__Z") {
        return None;
    }
    let options = cpp_demangle::DemangleOptions::default().no_return_type();
    cpp_demangle::Symbol::new(name).ok()?.demangle_with_options(&options).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_as_written() {
        for (name, expect) in [
            ("main", None),
            ("_ZN5motor4spinEi", Some("motor::spin(int)")),
            ("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", Some("core::fmt::Write::write_fmt")),
            ("_RNvCskwGfYPst2Cb_3foo16example_function", Some("foo::example_function")),
            ("_Zjunk", None),
        ] {
            assert_eq!(demangled(name).as_deref(), expect, "{name}");
        }
    }
}

//! `compile_commands.json`: the flags of the last build, as the compiler got them.

use super::findings::Findings;
use super::flags;
use super::view::View;

pub fn detect(view: View<'_>, findings: &mut Findings) {
    let Some(source) = view.first(&[
        "compile_commands.json",
        "build/compile_commands.json",
        "build/Debug/compile_commands.json",
    ]) else {
        return;
    };
    // Every file is compiled with nearly the same flags; the first ones say it all.
    let mut read = 0;
    for (number, line) in source.lines() {
        if line.contains("-mcpu=") || line.contains("-mmcu=") || line.contains("-D") || line.contains("-gcc")
        {
            let end = super::syntax::cmake::floor_boundary(line, 20_000);
            flags::read(&line[..end].replace("\\\"", ""), &source.at(number), 0.87, findings);
            read += 1;
        }
        if read >= 20 {
            return;
        }
    }
}

//! The board that `project.yaml` itself describes: the user's own commands, OpenOCD files or serial port.

use fwai_schema::{
    board::{BoardDef, BoardKind},
    project::Project,
};

use super::catalogue::is_safe_name;

/// The name of a board that the project does not name.
const UNNAMED: &str = "own";

/// What the project says about how its board is reached; `None` where it says nothing.
pub fn own_board(project: &Project) -> Option<BoardDef> {
    let (flash, serial, debug) = (&project.flash, &project.serial, &project.debug);
    let kind =
        if flash.command.is_some() || serial.monitor_command.is_some() || debug.server_command.is_some() {
            BoardKind::Command
        } else if !debug.openocd.is_empty() {
            BoardKind::Openocd
        } else if serial.port.is_some() {
            BoardKind::Serial
        } else {
            return None;
        };
    let target = &project.target;
    let name = target.board.clone().unwrap_or_else(|| UNNAMED.to_string());
    Some(BoardDef {
        title: format!("{name}, as project.yaml describes it"),
        // Some tools name boards with characters that no directory should have.
        name: if is_safe_name(&name) { name } else { UNNAMED.to_string() },
        kind,
        chip: target.mcu.clone().unwrap_or_default(),
        arch: target.arch.clone().unwrap_or_default(),
        regions: target.regions.clone(),
        svd: target.svd.clone(),
        ..BoardDef::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(change: impl FnOnce(&mut Project)) -> Project {
        let mut project = Project::default();
        change(&mut project);
        project
    }

    #[test]
    fn the_projects_own_words_decide_how_its_board_is_reached() {
        let kind = |project: &Project| own_board(project).map(|board| board.kind);
        assert_eq!(kind(&Project::default()), None);
        let mut described = project(|project| project.serial.port = Some("/dev/ttyACM0".into()));
        assert_eq!(kind(&described), Some(BoardKind::Serial));
        described.debug.openocd = vec!["board/st_nucleo_f4.cfg".into()];
        assert_eq!(kind(&described), Some(BoardKind::Openocd));
        described.flash.command = Some("make flash".into());
        assert_eq!(kind(&described), Some(BoardKind::Command));
    }

    #[test]
    fn a_name_that_no_directory_should_have_is_not_used() {
        let described = project(|project| {
            project.flash.command = Some("arduino-cli upload".into());
            project.target.board = Some("esp32:esp32:../esp32".into());
        });
        assert_eq!(own_board(&described).unwrap().name, "own");
    }
}

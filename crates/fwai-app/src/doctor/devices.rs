//! Serial ports and debug probes, and whether this user may use them.

use super::{Check, Patient};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Probes by their USB numbers; an empty product stands for all of the vendor.
const PROBES: &[(&str, &str, &str)] = &[
    ("0483", "3744", "ST-Link V1"),
    ("0483", "3748", "ST-Link V2"),
    ("0483", "374b", "ST-Link V2-1"),
    ("0483", "3752", "ST-Link V2-1"),
    ("0483", "374d", "ST-Link V3"),
    ("0483", "374e", "ST-Link V3"),
    ("0483", "374f", "ST-Link V3"),
    ("0483", "3753", "ST-Link V3"),
    ("0483", "3754", "ST-Link V3"),
    ("1366", "", "J-Link"),
    ("0d28", "0204", "CMSIS-DAP (DAPLink)"),
    ("2e8a", "000c", "Raspberry Pi Debug Probe"),
    ("2e8a", "0004", "Picoprobe"),
    ("1d50", "6018", "Black Magic Probe"),
    ("03eb", "2141", "Atmel-ICE"),
    ("03eb", "2111", "EDBG"),
    ("1fc9", "0143", "MCU-Link"),
    ("1fc9", "0090", "LPC-Link2"),
    ("303a", "1001", "ESP32 built-in JTAG"),
    ("1a86", "8010", "WCH-Link"),
];

const UDEV_FIX: &str = "sudo apt install openocd && sudo udevadm control --reload && sudo udevadm trigger, then plug it in again";

pub fn examine(_: &Patient<'_>) -> Vec<Check> {
    let mut checks = serial_ports(Path::new("/dev"), &may_use);
    checks.extend(probes(Path::new("/sys/bus/usb/devices"), Path::new("/dev/bus/usb"), &may_use));
    checks
}

/// Whether this user may read and write a device file.
fn may_use(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::READ_OK | rustix::fs::Access::WRITE_OK).is_ok()
}

fn serial_ports(dev: &Path, usable: &dyn Fn(&Path) -> bool) -> Vec<Check> {
    let mut ports: Vec<PathBuf> = fs::read_dir(dev)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with("ttyACM") || name.starts_with("ttyUSB") || name.starts_with("cu.usb")
        })
        .map(|entry| entry.path())
        .collect();
    ports.sort();
    if ports.is_empty() {
        return vec![Check::ok("serial ports", "none connected")];
    }
    ports
        .into_iter()
        .map(|port| {
            let name = format!("serial port {}", port.display());
            if usable(&port) {
                Check::ok(name, "readable and writable")
            } else {
                let group = group_of(&port);
                Check::problem(
                    name,
                    format!("this user may not use it; it belongs to the group {group}"),
                    format!("sudo usermod -aG {group} \"$USER\", then log in again"),
                )
            }
        })
        .collect()
}

/// The name of a file's group, `dialout` where that cannot be told.
fn group_of(path: &Path) -> String {
    use std::os::unix::fs::MetadataExt;
    let id = path.metadata().map(|meta| meta.gid()).ok();
    let groups = fs::read_to_string("/etc/group").unwrap_or_default();
    let named = id.and_then(|id| {
        groups.lines().find_map(|line| {
            let mut fields = line.split(':');
            let name = fields.next()?;
            (fields.nth(1)?.parse() == Ok(id)).then(|| name.to_owned())
        })
    });
    named.filter(|name| name != "root").unwrap_or_else(|| "dialout".to_owned())
}

fn probes(devices: &Path, nodes: &Path, usable: &dyn Fn(&Path) -> bool) -> Vec<Check> {
    let mut checks = Vec::new();
    for entry in fs::read_dir(devices).into_iter().flatten().flatten() {
        let read = |name: &str| {
            fs::read_to_string(entry.path().join(name)).map(|text| text.trim().to_owned()).unwrap_or_default()
        };
        let (vendor, product) = (read("idVendor"), read("idProduct"));
        let known = PROBES.iter().find(|(v, p, _)| *v == vendor && (p.is_empty() || *p == product));
        let Some((_, _, title)) = known else { continue };
        let (Ok(bus), Ok(device)) = (read("busnum").parse::<u32>(), read("devnum").parse::<u32>()) else {
            continue;
        };
        let node = nodes.join(format!("{bus:03}/{device:03}"));
        let serial = read("serial");
        let serial = if serial.is_empty() { String::new() } else { format!(", serial {serial}") };
        let detail = format!("{vendor}:{product}{serial}");
        checks.push(if usable(&node) {
            Check::ok(format!("probe {title}"), detail)
        } else {
            Check::problem(
                format!("probe {title}"),
                format!("{detail}; this user may not open {}", node.display()),
                UDEV_FIX,
            )
        });
    }
    checks.sort_by(|one, other| one.name.cmp(&other.name));
    if checks.is_empty() {
        checks.push(Check::ok("debug probes", "none connected; virtual boards need none"));
    }
    checks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Status;

    #[test]
    fn ports_without_permission_name_the_group() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(serial_ports(dir.path(), &may_use)[0].detail, "none connected");
        fs::write(dir.path().join("ttyACM0"), "").unwrap();
        fs::write(dir.path().join("ttyS0"), "").unwrap();
        let checks = serial_ports(dir.path(), &|_| false);
        assert_eq!(checks.len(), 1);
        assert_eq!(checks[0].status, Status::Problem);
        assert!(checks[0].fix.as_ref().unwrap().contains("usermod -aG"));
        assert_eq!(serial_ports(dir.path(), &may_use)[0].status, Status::Ok);
    }

    #[test]
    fn probes_are_known_by_their_numbers() {
        let dir = tempfile::tempdir().unwrap();
        let device = dir.path().join("1-2");
        fs::create_dir(&device).unwrap();
        for (name, text) in [
            ("idVendor", "0483\n"),
            ("idProduct", "374b\n"),
            ("busnum", "1\n"),
            ("devnum", "7\n"),
            ("serial", "066C\n"),
        ] {
            fs::write(device.join(name), text).unwrap();
        }
        let checks = probes(dir.path(), Path::new("/nowhere"), &may_use);
        assert_eq!(checks[0].name, "probe ST-Link V2-1");
        assert!(checks[0].detail.contains("may not open /nowhere/001/007"), "{}", checks[0].detail);
        assert_eq!(probes(dir.path(), Path::new("/nowhere"), &|_| true)[0].detail, "0483:374b, serial 066C");
        assert_eq!(probes(Path::new("/nowhere"), Path::new("/nowhere"), &may_use)[0].status, Status::Ok);
    }
}

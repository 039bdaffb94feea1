//! Which serial port is meant: a path, a USB id, a serial number, or the only one there is.

use serialport::{SerialPortInfo, SerialPortType};

/// Why no port was found.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum PortError {
    #[error("cannot list serial ports: {0}")]
    List(String),
    #[error("no serial port matches `{wanted}`; connected: {connected}")]
    NotFound { wanted: String, connected: String },
    #[error("no serial port is connected; plug the board in, or set `serial.port` in .fwai/project.yaml")]
    None,
    #[error(
        "several serial ports are connected ({connected}); set `serial.port` to one of them, `usb:VID:PID` or `serial:NUMBER`"
    )]
    Several { connected: String },
    #[error("`{0}` is not a port: use a path, `usb:VID:PID`, `usb:VID:PID:SERIAL` or `serial:NUMBER`")]
    Malformed(String),
    #[error("cannot open {port}: {what}{}", hint(.what))]
    Open { port: String, what: String },
}

fn hint(what: &str) -> &'static str {
    let what = what.to_ascii_lowercase();
    if what.contains("permission") {
        "; add yourself to the group `dialout` (`sudo usermod -aG dialout $USER`) and log in again"
    } else if what.contains("busy") || what.contains("lock") {
        "; another program has it open"
    } else {
        ""
    }
}

/// A connected port, as far as choosing needs it.
struct Port {
    path: String,
    /// Vendor, product and serial number of a port on USB.
    usb: Option<(u16, u16, Option<String>)>,
}

impl From<SerialPortInfo> for Port {
    fn from(info: SerialPortInfo) -> Self {
        let usb = match info.port_type {
            SerialPortType::UsbPort(usb) => Some((usb.vid, usb.pid, usb.serial_number)),
            _ => None,
        };
        Self { path: info.port_name, usb }
    }
}

/// The path of the wanted port, as ports are connected now.
pub fn find_port(wanted: Option<&str>) -> Result<String, PortError> {
    match wanted.map(str::trim) {
        Some(path) if is_path(path) => Ok(path.to_string()),
        wanted => {
            let ports = serialport::available_ports().map_err(|error| PortError::List(error.to_string()))?;
            let ports: Vec<Port> = ports.into_iter().map(Port::from).collect();
            choose(wanted, &ports)
        }
    }
}

fn is_path(wanted: &str) -> bool {
    !wanted.starts_with("usb:") && !wanted.starts_with("serial:") && !wanted.is_empty()
}

/// The wanted one among the connected ports.
fn choose(wanted: Option<&str>, ports: &[Port]) -> Result<String, PortError> {
    let wanted = wanted.unwrap_or_default();
    let malformed = || PortError::Malformed(wanted.to_string());
    let (id, serial) = if wanted.is_empty() {
        (None, None)
    } else if let Some(number) = wanted.strip_prefix("serial:") {
        (None, Some(number))
    } else {
        let mut parts = wanted.strip_prefix("usb:").ok_or_else(malformed)?.splitn(3, ':');
        let mut number = || u16::from_str_radix(parts.next()?, 16).ok();
        let id = number().zip(number()).ok_or_else(malformed)?;
        (Some(id), parts.next())
    };
    let fits = |port: &&Port| match &port.usb {
        Some((vid, pid, known)) => {
            id.is_none_or(|id| id == (*vid, *pid))
                && serial.is_none_or(|serial| {
                    known.as_ref().is_some_and(|known| known.eq_ignore_ascii_case(serial))
                })
        }
        None => false,
    };
    let matching: Vec<&Port> = ports.iter().filter(fits).collect();
    match matching.as_slice() {
        [] if wanted.is_empty() => Err(PortError::None),
        [] => Err(PortError::NotFound { wanted: wanted.to_string(), connected: describe(ports.iter()) }),
        [one] => Ok(one.path.clone()),
        several => Err(PortError::Several { connected: describe(several.iter().copied()) }),
    }
}

fn describe<'a>(ports: impl Iterator<Item = &'a Port>) -> String {
    let names: Vec<String> = ports
        .map(|port| match &port.usb {
            Some((vid, pid, serial)) => {
                let serial = serial.as_ref().map(|number| format!(":{number}")).unwrap_or_default();
                format!("{} (usb:{vid:04x}:{pid:04x}{serial})", port.path)
            }
            None => port.path.clone(),
        })
        .collect();
    if names.is_empty() { "none".to_string() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usb(path: &str, vid: u16, pid: u16, serial: &str) -> Port {
        Port { path: path.into(), usb: Some((vid, pid, Some(serial.to_string()))) }
    }

    #[test]
    fn ports_are_found_by_usb_id_and_serial_number() {
        let ports = [
            Port { path: "/dev/ttyS0".into(), usb: None },
            usb("/dev/ttyACM0", 0x0483, 0x374b, "066DFF"),
            usb("/dev/ttyACM1", 0x0483, 0x374b, "066DEE"),
            usb("/dev/ttyUSB0", 0x10c4, 0xea60, "0001"),
        ];
        let find = |wanted| choose(Some(wanted), &ports);
        assert_eq!(find("usb:10c4:ea60").unwrap(), "/dev/ttyUSB0");
        assert_eq!(find("serial:066dee").unwrap(), "/dev/ttyACM1");
        assert_eq!(find("usb:0483:374B:066DFF").unwrap(), "/dev/ttyACM0");
        assert!(matches!(find("usb:0483:374b"), Err(PortError::Several { .. })));
        assert!(matches!(find("serial:77"), Err(PortError::NotFound { .. })));
        assert!(matches!(find("usb:zz"), Err(PortError::Malformed(_))));
        assert!(matches!(choose(None, &ports), Err(PortError::Several { .. })));
        assert_eq!(choose(None, &ports[3..]).unwrap(), "/dev/ttyUSB0");
        assert!(matches!(choose(None, &ports[..1]), Err(PortError::None)));
    }
}

//! Attempts to reach anything by socket.

use super::Ground;
use fwai_tools::sandbox::Network;
use std::{
    io::ErrorKind,
    net::{TcpListener, UdpSocket},
    os::{linux::net::SocketAddrExt, unix::net},
};

#[test]
fn network_by_address_and_by_name() {
    let ground = Ground::new();
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    tcp.set_nonblocking(true).unwrap();
    udp.set_nonblocking(true).unwrap();
    let (tcp_port, udp_port) = (tcp.local_addr().unwrap().port(), udp.local_addr().unwrap().port());
    ground.python_blocked(&format!(
        "import socket
try:
  socket.create_connection(('127.0.0.1', {tcp_port}), 2)
  print('connected')
except OSError: print('blocked')"
    ));
    ground.python_blocked(&format!(
        "import socket
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {udp_port}))
print('blocked')"
    ));
    for address in ["('192.0.2.1', 80)", "('8.8.8.8', 53)"] {
        ground.python_blocked(&format!(
            "import socket
try:
  socket.create_connection({address}, 2)
  print('connected')
except OSError: print('blocked')"
        ));
    }
    ground.python_blocked(
        "import socket
try:
  socket.gethostbyname('example.com')
  print('resolved')
except OSError: print('blocked')",
    );
    ground.blocked(&format!("exec 3<>/dev/tcp/127.0.0.1/{tcp_port}"));
    assert_eq!(tcp.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
    assert_eq!(udp.recv(&mut [0; 8]).unwrap_err().kind(), ErrorKind::WouldBlock);
}

#[test]
fn unix_sockets_of_other_processes() {
    let mut ground = Ground::new();
    let outside = net::UnixListener::bind(ground.outside.parent().unwrap().join("agent.sock")).unwrap();
    let planted = net::UnixListener::bind(ground.root.join("docker.sock")).unwrap();
    let name = format!("fwai-escape-{}", std::process::id());
    let address = net::SocketAddr::from_abstract_name(name.as_bytes()).unwrap();
    let abstracted = net::UnixListener::bind_addr(&address).unwrap();
    for listener in [&outside, &planted, &abstracted] {
        listener.set_nonblocking(true).unwrap();
    }
    for network in [Network::Off, Network::Host] {
        ground.spec.network = network;
        for address in ["'../agent.sock'".to_owned(), "'docker.sock'".to_owned(), format!("b'\\0{name}'")] {
            ground.python_blocked(&format!(
                "import socket
try:
  s = socket.socket(socket.AF_UNIX)
  s.connect({address})
  print('connected')
except OSError: print('blocked')"
            ));
            ground.python_blocked(&format!(
                "import socket
try:
  a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
  a.sendto(b'x', {address})
  print('sent')
except OSError: print('blocked')"
            ));
            ground.python_blocked(&format!(
                "import socket
a, b = socket.socketpair()
try:
  a.connect({address})
  print('connected')
except OSError: print('blocked')"
            ));
        }
    }
    for listener in [&outside, &planted, &abstracted] {
        assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
    }
    ground.blocked("ls /run/docker.sock /var/run/docker.sock /run/user /run/dbus");
}

#[test]
fn a_loopback_of_its_own_works() {
    let ground = Ground::new();
    let finished = ground.python(
        "import socket, threading
server = socket.create_server(('127.0.0.1', 0))
threading.Thread(target=lambda: server.accept()[0].sendall(b'hello')).start()
print(socket.create_connection(server.getsockname()).recv(5).decode())",
    );
    assert_eq!(String::from_utf8_lossy(&finished.stdout).trim(), "hello", "{}", super::text(&finished));
}

#[test]
fn single_ports_of_this_machine_open_no_others() {
    let mut ground = Ground::new();
    let (granted, other) =
        (TcpListener::bind("127.0.0.1:0").unwrap(), TcpListener::bind("127.0.0.1:0").unwrap());
    let udp = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    udp.set_nonblocking(true).unwrap();
    other.set_nonblocking(true).unwrap();
    let port = |listener: &TcpListener| listener.local_addr().unwrap().port();
    ground.spec.network = Network::Ports(vec![port(&granted)]);
    let finished = ground.python(&format!(
        "import socket
socket.create_connection(('127.0.0.1', {}), 5)
print('connected')",
        port(&granted)
    ));
    assert_eq!(String::from_utf8_lossy(&finished.stdout).trim(), "connected", "{}", super::text(&finished));
    for attempt in [
        format!("socket.create_connection(('127.0.0.1', {}), 5)", port(&other)),
        format!(
            "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', {:?})",
            ("127.0.0.1", udp.local_addr().unwrap().port())
        ),
        format!(
            "socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262).connect(('127.0.0.1', {}))",
            port(&other)
        ),
        format!(
            "socket.socket(socket.AF_INET, socket.SOCK_STREAM).sendto(b'x', 0x20000000, ('127.0.0.1', {}))",
            port(&other)
        ),
        "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)".to_owned(),
        "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)".to_owned(),
        "socket.create_server(('127.0.0.1', 0))".to_owned(),
        "socket.create_connection(('1.1.1.1', 53), 2)".to_owned(),
    ] {
        ground.python_blocked(&format!(
            "import socket
try:
  {attempt}
  print('through')
except OSError: print('blocked')"
        ));
    }
    assert_eq!(other.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
    assert_eq!(udp.recv(&mut [0; 1]).unwrap_err().kind(), ErrorKind::WouldBlock);
}

#!/bin/sh
# Makes the files of this directory anew: builds the firmware, runs it in QEMU, and writes down what defmt's own
# decoder reads (`make.sh [DIRECTORY]` keeps the builds there). Needs a Rust compiler with its sources for a bare target (Debian: rustc-web, cargo-web,
# rust-web-src), arm-none-eabi binutils and qemu-system-arm.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=${1:-$(mktemp -d)}

make_one() { # name, cargo arguments
    name=$1
    shift
    (
        cd "$here/firmware"
        unset RUSTC_WRAPPER
        export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 DEFMT_LOG=trace CARGO_TARGET_DIR="$work/firmware"
        flags="-Clinker-flavor=ld|-Clink-arg=-Tmemory.x|-Clink-arg=-Tdefmt.x|-Clink-arg=--gc-sections"
        flags="$flags|--remap-path-prefix=$here/firmware=device|--remap-path-prefix=$HOME=home"
        CARGO_ENCODED_RUSTFLAGS=$(printf %s "$flags" | tr '|' '\037') /usr/bin/cargo build --release --locked "$@"
    )
    # The reference decoder reads no compressed debug information; ours does.
    plain="$work/firmware/thumbv7m-none-eabi/release/defmt-device"
    arm-none-eabi-objcopy --compress-debug-sections=zlib "$plain" "$here/$name.elf"
    chmod 644 "$here/$name.elf"
    timeout 3 qemu-system-arm -M lm3s6965evb -nographic -monitor none -serial "file:$here/$name.frames" \
        -kernel "$here/$name.elf" || true
    CARGO_TARGET_DIR="$work/reference" cargo run --quiet --locked --manifest-path "$here/reference/Cargo.toml" -- \
        "$plain" "$here/$name.frames" > "$here/$name.expected.txt"
}

make_one rzcobs
make_one raw --features raw

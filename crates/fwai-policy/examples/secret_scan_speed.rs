//! Measures the secret scanner on one core: `secret_scan_speed [FILE…]`, one JSON object on stdout.
//!
//! Without files it scans 64 MB of made-up build logs and source lines, with words such as `token` and
//! `key` as often as real code has them.

use std::hint::black_box;

use fwai_policy::secrets::{Redactor, RuleSet, Scanner};

fn main() {
    let files: Vec<Vec<u8>> = std::env::args().skip(1).filter_map(|path| std::fs::read(path).ok()).collect();
    let text = if files.is_empty() { made_up(64 << 20) } else { files.concat() };
    let scanner = Scanner::new(RuleSet::builtin());
    let redactor = Redactor::builtin();
    let (mut best, mut stream_best) = (f64::MAX, f64::MAX);
    let (mut findings, mut streamed) = (0, 0);
    for _ in 0..5 {
        let start = cpu_seconds();
        findings = black_box(scanner.scan(black_box(&text))).len();
        best = best.min(cpu_seconds() - start);
        let mut stream = redactor.stream();
        let start = cpu_seconds();
        streamed = text.chunks(16 << 10).map(|piece| black_box(stream.push(piece)).len()).sum::<usize>();
        stream_best = stream_best.min(cpu_seconds() - start);
    }
    let rate = |seconds: f64| (text.len() as f64 / seconds / 1e6).round();
    println!(
        "{}",
        serde_json::json!({
            "bytes": text.len(), "findings": findings, "cpu_seconds": best, "mb_per_s": rate(best),
            "stream_mb_per_s": rate(stream_best), "streamed": streamed,
        })
    );
}

/// Time on a core so far, so that neighbours on a busy machine do not count.
fn cpu_seconds() -> f64 {
    let stat =
        std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux tells the time on a core");
    let nanoseconds: f64 =
        stat.split(' ').next().and_then(|field| field.parse().ok()).expect("a number comes first");
    nanoseconds / 1e9
}

fn made_up(length: usize) -> Vec<u8> {
    const LINES: [&str; 8] = [
        "[ 42%] Building C object CMakeFiles/app.dir/src/drivers/uart_dma.c.obj\n",
        "    HAL_StatusTypeDef status = HAL_UART_Transmit_DMA(&huart2, buffer, sizeof(buffer));\n",
        "static int parse_token(struct lexer *lexer, const char *token, size_t token_length);\n",
        "I (1234) wifi: state: assoc -> run (0x10), connected with network, channel 6, BW20\n",
        "#define RCC_CR_HSEON_Pos (16U)  /* Clock enable register, see section 7.3.1 */\n",
        "arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -O2 -g -Wall -Iinclude -c src/main.c -o main.o\n",
        "for (uint32_t index = 0; index < ARRAY_SIZE(key_table); ++index) { total += weights[index]; }\n",
        "0x08000184: 4f f0 e0 23 5a 68 00 2a fb d0 70 47 fe e7 fe e7\n",
    ];
    let mut seed = 1u32;
    let mut text = Vec::with_capacity(length + 128);
    while text.len() < length {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.extend_from_slice(LINES[(seed >> 16) as usize % LINES.len()].as_bytes());
    }
    text
}

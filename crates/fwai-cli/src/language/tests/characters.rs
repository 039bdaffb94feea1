//! Each Chinese is that of its own engineers: words and characters.

use super::{
    super::{choice::Language, texts},
    CHINESE,
};

/// Words of one shore that must not appear on the other.
#[test]
fn each_chinese_is_that_of_its_engineers() {
    let foreign_to_taiwan = [
        "固件",
        "串口",
        "內存",
        "項目",
        "默認",
        "程序",
        "調試",
        "信息",
        "配置文",
        "文件夾",
        "網絡",
        "服務器",
        "代碼",
        "軟件",
        "支持",
        "屏幕",
        "數據",
        "字節",
        "鏈接",
        "運行",
        "線程",
        "進程",
        "寄存器",
        "函數",
        "字符串",
        "哈希",
        "密鑰",
    ];
    let foreign_to_mainland = [
        "韧体",
        "除错",
        "序列埠",
        "专案",
        "程式",
        "档案",
        "预设",
        "记忆体",
        "网路",
        "伺服器",
        "软体",
        "支援",
        "萤幕",
        "位元组",
        "连结",
        "使用者",
        "执行绪",
        "暂存器",
        "函式",
        "字串",
        "杂凑",
        "金钥",
        "储存库",
    ];
    for (language, foreign) in [(CHINESE[0], &foreign_to_taiwan[..]), (CHINESE[1], &foreign_to_mainland[..])]
    {
        for file in texts::files(language) {
            for (number, line) in file.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
                for word in foreign {
                    assert!(!line.contains(word), "{language:?} line {}: {word} in {line}", number + 1);
                }
            }
        }
    }
}

/// Taiwan's characters are those of Big5, the mainland's those of GB 2312: neither knows the other's forms.
/// A few forms of the mainland are old or rare characters in Big5.
#[test]
fn each_chinese_is_written_in_its_own_characters() {
    const RARE_IN_TAIWAN: &str = "体机与听适价礼灵术旧乱继胜丰极仆个么无来万坏师";
    let mut foreign = Vec::new();
    for language in CHINESE {
        for (key, letter) in letters_of(language) {
            let mut text = [0; 4];
            let text = letter.encode_utf8(&mut text);
            let own = match language {
                Language::TraditionalChinese => {
                    let (bytes, _, lost) = encoding_rs::BIG5.encode(text);
                    !lost && bytes.len() == 2 && !RARE_IN_TAIWAN.contains(letter)
                }
                _ => {
                    let (bytes, _, lost) = encoding_rs::GBK.encode(text);
                    !lost && matches!(*bytes, [0xB0..=0xF7, 0xA1..=0xFE])
                }
            };
            if !own {
                foreign.push(format!("{language:?} {key}: {letter}"));
            }
        }
    }
    assert!(foreign.is_empty(), "{}", foreign.join("\n"));
}

/// Chinese characters, each with the message that holds it.
fn letters_of(language: Language) -> impl Iterator<Item = (&'static str, char)> {
    let messages = texts::files(language).iter().flat_map(|file| texts::messages(file));
    messages.flat_map(|(key, source)| {
        source
            .chars()
            .filter(|letter| ('\u{4e00}'..='\u{9fff}').contains(letter))
            .map(move |letter| (key, letter))
    })
}

//! Words brought to one form before they are compared: full-width letters, case, punctuation, traditional and
//! simplified characters, and politeness that says nothing.

/// Most of a text that is looked at; whoever pastes more wants to talk, not to run a skill.
pub const MOST: usize = 400;

/// Traditional characters of the vocabulary of firmware, and the simplified form of each. Both sides of every
/// comparison are simplified, so that a skill needs only one spelling.
const SIMPLIFIED: &str = "\
編编譯译燒烧錄录寫写測测試试幫帮請请並并開开機机動动啟启啓启為为麼么無无診诊斷断當当錯错誤误復复記记憶忆體体報报內内韌韧檢检監监視视執执運运\
轉转個个這这裡里裏里嗎吗讓让將将後后從从還还沒没會会說说問问題题時时間间電电腦脑連连線线陣阵場场頁页顯显輸输進进過过關关閉闭壞坏單单雙双專专\
構构產产別别應应該该們们對对與与給给點点樣样種种數数據据總总結结業业車车軟软驅驱檔档夾夹設设計计選选擇择確确認认麵面聲声號号碼码長长張张條条\
來来東东買买賣卖讀读書书證证釋释決决複复雜杂簡简習习齊齐變变換换鏈链覺觉聽听響响頻频預预項项顆颗額额願愿類类須须頭头順顺領领謝谢煩烦馬马訊讯\
觀观臺台經经剛刚誰谁幾几區区銷销暫暂繼继續续嘗尝處处備备裝装傳传組组於于閃闪儲储偵侦陽阳隻只鐵铁錶表鍵键鈕钮調调驗验標标歷历級级終终絡络網网\
維维積积極极權权殺杀滅灭熱热燈灯獨独環环畫画異异疊叠盡尽盤盘稱称穩稳筆笔紅红紀纪純纯細细統统綠绿緒绪緩缓縮缩織织義义聯联腳脚舊旧艦舰蓋盖蟲虫\
補补製制訂订訓训討讨訪访評评詢询詳详誠诚課课談谈論论講讲譜谱護护貝贝負负責责資资質质貼贴購购趕赶跡迹軌轨較较載载輕轻輪轮轟轰辦办農农遠远適适\
遲迟郵邮釘钉鎖锁鏡镜門门閱阅隊队階阶際际隨随險险離离難难雲云靜静韓韩頂顶顧顾飛飞餘余驟骤鬆松魚鱼黃黄齡龄敗败佔占爲为絕绝發发潰溃現现\
掛挂緊紧態态導导徑径損损準准況况淨净畢毕託托輯辑洩泄實实毀毁刪删";

/// The one form of a character.
fn one_form(c: char) -> char {
    let c = match c {
        '\u{3000}' => ' ',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        other => other,
    };
    simplified(c)
}

fn simplified(c: char) -> char {
    if (c as u32) < 0x4e00 {
        return c;
    }
    let mut pairs = SIMPLIFIED.chars();
    while let (Some(traditional), Some(simple)) = (pairs.next(), pairs.next()) {
        if traditional == c {
            return simple;
        }
    }
    c
}

/// Whether a character is written without spaces around words.
pub fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// A text in one form: lower case, one blank between words, sentence ends kept as `?`, `!` or `.`.
pub fn normalised(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().take(MOST + 1).map(one_form).flat_map(char::to_lowercase) {
        let c = match c {
            '？' | '?' => '?',
            '！' | '!' => '!',
            '。' | '．' | '.' | '；' | ';' => '.',
            '，' | '、' | ',' | '：' | ':' | '…' | '~' | '～' => ',',
            '’' | '‘' | '`' | '\'' => '\'',
            c if c.is_alphanumeric() => c,
            '_' | '-' | '+' | '/' | '#' => {
                if matches!(c, '+' | '#') {
                    c
                } else {
                    ' '
                }
            }
            _ => ' ',
        };
        match c {
            ' ' if out.is_empty() || out.ends_with(' ') => {}
            c => out.push(c),
        }
    }
    out.trim_end().to_owned()
}

/// Words that make a request polite and change nothing of it; longest first. In normalised form.
const POLITE: &[&str] = &[
    "could you please",
    "can you please",
    "would you please",
    "could you",
    "can you",
    "would you",
    "will you",
    "please",
    "kindly",
    "let's",
    "lets",
    "let us",
    "go ahead and",
    "help me to",
    "help me",
    "hey fwai",
    "hi fwai",
    "ok fwai",
    "fwai",
    "hey",
    "hi",
    "hello",
    "ok",
    "okay",
    "now",
    "just",
    "quickly",
    "for me",
    "thanks",
    "thank you",
    "pls",
    "麻烦了",
    "拜托了",
    "辛苦了",
    "谢谢了",
    "拜托你",
    "拜托",
    "请你帮我",
    "麻烦你帮我",
    "可以帮我",
    "能不能帮我",
    "可不可以帮我",
    "能帮我",
    "请帮我",
    "麻烦帮我",
    "麻烦你",
    "麻烦",
    "帮我",
    "帮忙",
    "帮",
    "请你",
    "请",
    "我想要",
    "我想",
    "我要",
    "我需要",
    "你好",
    "您好",
    "嗨",
    "现在",
    "马上",
    "立刻",
    "赶快",
    "赶紧",
    "快点",
    "一下",
    "一次",
    "吧",
    "啊",
    "喔",
    "哦",
    "呢",
    "谢谢",
    "多谢",
    "感谢",
];

/// The same, where it begins what is said: "do I need to" asks.
const BEGINNINGS: &[&str] = &[
    "i would like you to ",
    "i'd like you to ",
    "i want you to ",
    "i would like to ",
    "i'd like to ",
    "i want to ",
    "i need to ",
];

/// The core of a request: no politeness, no punctuation, one blank between words.
pub fn core(normal: &str) -> String {
    let plain: String =
        normal.chars().map(|c| if matches!(c, '?' | '!' | '.' | ',') { ' ' } else { c }).collect();
    let mut text = format!(" {} ", plain.split_whitespace().collect::<Vec<_>>().join(" "));
    for word in POLITE {
        let han = word.chars().any(is_han);
        text = match han {
            true => text.replace(word, ""),
            false => text.replace(&format!(" {word} "), " ").replace(&format!(" {word} "), " "),
        };
    }
    let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let rest = BEGINNINGS.iter().find_map(|beginning| said.strip_prefix(beginning));
    rest.map_or_else(|| said.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_pairs_only() {
        assert_eq!(SIMPLIFIED.chars().count() % 2, 0);
    }

    #[test]
    fn traditional_simplified_and_wide_letters_are_one() {
        assert_eq!(normalised("幫我編譯並燒錄！"), normalised("帮我编译并烧录!"));
        assert_eq!(normalised("ＢＵＩＬＤ　ａｎｄ　ｆｌａｓｈ"), "build and flash");
        assert_eq!(normalised("  Build_and-Flash…  "), "build and flash,");
        assert_eq!(core(&normalised("請幫我編譯並燒錄一下，謝謝")), core(&normalised("编译并烧录")));
        assert_eq!(core(&normalised("Could you please build and flash, thanks?")), "build and flash");
    }

    #[test]
    fn whatever_comes_is_bounded() {
        assert!(normalised(&"x".repeat(1 << 20)).len() <= 2 * MOST);
        assert_eq!(normalised("🔥🔥"), "");
        assert_eq!(normalised(""), "");
        assert_eq!(core("???"), "");
    }
}

//! What the words of firmware work mean, in English and Chinese, as data. All in normalised form: lower case,
//! simplified characters. A skill that names one word of a row is found by all of them.

/// The name of a meaning, and the words for it. Longer words of a row are looked for first.
pub const CONCEPTS: &[(&str, &[&str])] = &[
    ("no_boot", &[
        "does not boot", "doesn't boot", "doesnt boot", "won't boot", "wont boot", "not booting", "cannot boot",
        "can't boot", "fails to boot", "boot failure", "不开机", "无法开机", "不能开机", "开不了机", "无法启动", "不能启动",
        "启动不了", "启动失败", "开机失败", "起不来", "没反应",
    ]),
    ("build", &["build", "rebuild", "compile", "recompile", "make", "编译", "构建", "建置", "组建", "编一"]),
    ("test", &["unit tests", "unit test", "tests", "test", "单元测试", "测试", "跑测"]),
    ("flash", &[
        "flash", "reflash", "burn", "program", "upload", "烧录", "烧写", "烧进", "烧到", "烧入", "刷写", "刷入", "刷机", "刷到", "写入", "上传", "烧",
    ]),
    ("monitor", &[
        "monitor", "watch", "console", "serial", "serial port", "监视", "监控", "串口", "序列埠", "观察", "看开机", "看启动", "开机讯息", "启动讯息",
    ]),
    ("boot", &["boot", "boots", "startup", "开机", "启动"]),
    ("crash", &[
        "crash", "crashes", "hang", "hangs", "fault", "faults", "hardfault", "hard fault", "freeze", "freezes", "当机", "死机", "崩溃", "卡住",
        "挂掉", "挂了",
    ]),
    ("diagnose", &["diagnose", "diagnosis", "troubleshoot", "investigate", "诊断", "排查", "查原因", "找原因"]),
    ("fix", &["fix", "repair", "mend", "修复", "修好", "修正", "修理", "解决", "修"]),
    ("error", &["errors", "error", "错误", "报错", "编译不过"]),
    ("size", &[
        "memory usage", "memory map", "footprint", "memory", "size", "usage", "ram", "rom", "大小", "内存", "记忆体", "占用", "用量", "容量",
    ]),
    ("report", &["report", "summary", "show", "analysis", "analyze", "analyse", "报告", "报表", "显示", "分析", "看看"]),
];

/// Words that say nothing about which skill is meant.
pub const STOP_WORDS: &[&str] = &[
    "the", "a", "an", "it", "this", "that", "my", "our", "your", "me", "to", "of", "on", "in", "for", "with", "and", "then", "also",
    "after", "afterwards", "again", "up", "board", "device", "target", "firmware", "project", "code", "app", "image", "mcu", "chip",
    "everything", "all", "run", "do", "start", "execute", "perform", "skill", "use", "launch", "from", "new", "latest", "onto", "into",
    "at", "its", "i", "you", "we", "is", "be", "whole", "entire", "first", "next", "once", "done", "go", "please", "us", "give", "get",
];

/// The same in Chinese, longest first.
pub const STOP_HAN: &[&str] = &[
    "开发板", "板子", "板卡", "电路板", "固件", "韧体", "程序", "程式", "代码", "程式码", "项目", "专案", "工程", "这里", "然后", "并且", "接着", "之后", "以后",
    "执行", "运行", "开始", "重新", "全部", "整个", "我的", "我们", "新的", "最新", "这个", "那个", "一遍", "给我", "让我", "设备", "装置", "晶片", "芯片",
    "的", "把", "到", "上", "里", "这", "那", "个", "并", "和", "跟", "与", "及", "后", "先", "再", "给", "进", "去", "来", "看", "跑", "做", "我", "它", "将", "对",
    "完", "就", "都", "也", "要", "用", "出", "下",
];

/// Words that turn a wish round. A text with one of them never runs anything by itself.
pub const NEGATIONS: &[&str] = &[
    "not", "don't", "dont", "do not", "never", "no", "without", "stop", "cancel", "abort", "avoid", "skip", "except", "won't", "wont",
    "shouldn't", "shouldnt", "mustn't", "mustnt", "can't", "cant", "cannot", "isn't", "isnt", "doesn't", "doesnt", "instead", "rather",
    "undo", "revert", "n't", "nobody", "nothing", "neither", "nor", "forbid", "prevent", "hold off", "wait", "later", "refuse", "unless",
];

pub const NEGATIONS_HAN: &[&str] = &[
    "不", "别", "勿", "没", "無", "无", "禁止", "停止", "取消", "暂停", "跳过", "避免", "免", "除了", "除非", "而非", "等等", "等一", "晚点", "稍后", "撤销", "还原", "拒绝", "莫",
];

/// Words that make a text a question or a story.
pub const QUESTIONS: &[&str] = &[
    "why", "how", "what", "what's", "whats", "when", "where", "which", "who", "whose", "does", "did", "was", "were", "has", "have", "had",
    "should", "explain", "describe", "difference", "tell", "mean", "means", "if", "whether", "are", "am", "could", "would", "possible",
    "yesterday", "before", "already", "just now", "about", "imagine", "suppose", "maybe",
];

pub const QUESTIONS_HAN: &[&str] = &[
    "为什么", "为何", "为啥", "怎么", "怎样", "如何", "什么", "哪", "几", "多少", "多大", "是否", "是不是", "有没有", "会不会", "吗", "解释", "说明", "意思", "如果", "假如", "假设",
    "刚才", "刚刚", "已经", "昨天", "之前", "谁", "何时", "什么时候", "区别", "差别", "关于", "失败", "成功",
];

/// The meaning that a word of a skill stands for; the word itself where the table has none.
pub fn concept_of(word: &str) -> &str {
    CONCEPTS.iter().find(|(_, words)| words.contains(&word)).map_or(word, |(name, _)| name)
}

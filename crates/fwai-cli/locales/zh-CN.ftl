# fwai 对人说的话，简体中文（大陆）。键与变量和 en.ftl 相同。
# 每条文本单独解析，不能互相引用。命令、配置键与文件名不翻译。

## 通用

error = 错误：
warning = 警告：
next = 下一步：
yes = 有
no = 无
unknown = 未知
bytes = { $count } 字节
files = { $count } 个文件
turns = { $count ->
   *[other] 轮
}
and-more = { $list } 等，另有 { $count } 项
after-colon = ：{ $text }
wrote = 已写入 { $path }
output-lost = 无法写出结果：{ $error }
kept-as-run = 已保存为运行记录 { $run }
untrusted-settings = 该项目尚未受信任，因此 .fwai/config.yaml 中的以下配置不生效：{ $keys }
untrusted-settings-next = 先查看内容，再运行 `fwai trust`

status-success = 成功
status-failure = 失败
status-running = 运行中
status-interrupted = 中断
status-denied = 被拒绝
status-timeout = 超时
status-skipped = 跳过
status-finished = 完成
change-created = 新增
change-modified = 修改
change-deleted = 删除

permission-wants = fwai 想要：{ $what }
permission-choices = 是否允许？[y] 本次、[s] 本会话、[a] 始终、[n] 不允许：

## build

build-command = 正在编译：{ $command }
build-more = … 另有 { $count } 条，见 { $file }
build-new = （新增）
build-used-at = 引用于 { $place }
build-used-in = 引用于 { $place } 的 { $function }
build-up-to-date = 已是最新
build-done = 编译完成
build-time-limit = 编译超时，已停止
build-cancelled = 编译已取消
build-failed = 编译失败
build-new-warnings = （新增 { $count } 个）
build-summary = { $verdict }，用时 { $seconds } 秒：{ $errors } 个错误，{ $warnings } 个警告{ $fresh }；运行记录 { $run }

## flash

flash-confirm = 要烧录这块开发板吗？
flash-proven = 已烧录，并通过 { $method } 验证：{ $detail }
flash-disproved = 已烧录，但验证失败（{ $method }）：{ $detail }
flash-unproven = 已烧录，但无法验证：{ $detail }

## monitor

monitor-leave = 按 Ctrl-] 退出
monitor-success = 启动：成功{ $matched }
monitor-failure = 启动：失败{ $matched }
monitor-timeout = 启动：{ $seconds } 秒内无法判断（收到 { $bytes } 字节）
monitor-no-symbols = 地址无法解析为符号：{ $error }
monitor-defmt-unread = defmt 日志按字节显示：{ $error }
monitor-log-incomplete = 控制台日志不完整：{ $error }

## debug

debug-runs = { $board } 运行的是 { $elf }：{ $identity }
debug-step-failed = 失败：{ $reason }

## board

board-kind = 类型
board-kind-virtual = 虚拟
board-chip = 芯片
board-state = 状态
board-note = 说明
board-chosen = 该项目改用开发板 { $board }
board-running = 运行中
board-halted = 已暂停
board-off = 已断电
board-crashed = 已崩溃
board-unknown = 未知
board-absent = 未连接
board-now = { $board }：{ $state }（{ $what }）
board-powered-on = 开启电源
board-powered-off = 关闭电源
board-was-reset = 复位

## memory

memory-total = 总计
memory-region = 区域
memory-section = 段
memory-symbol = 符号
memory-file = 文件
memory-function = 函数
memory-used = 已用
memory-size = 大小
memory-free = 剩余
memory-address = 地址
memory-where = 位于
memory-stack = 栈
memory-kind = 种类
memory-change = 增减
memory-before = 之前
memory-after = 之后
memory-against = 相较于 { $name }
memory-padding = { $count } 字节是填充
memory-more-files = … 另有 { $count } 个文件
memory-more-symbols = … 另有 { $count } 个符号
memory-more-functions = … 另有 { $count } 个函数
memory-more-changes = … 另有 { $count } 项变化
memory-budget = 预算 { $name } { $limit }：{ $verdict }：{ $message }
memory-budget-ok = 符合
memory-budget-over = 超出

## doctor

doctor-ok = 正常
doctor-warning = 警告
doctor-problem = 问题
doctor-line = { $name }：{ $detail }
doctor-mend = 修复：

## init

init-questions = 项目文件没有说明以下几项；直接回车表示暂不配置。
init-agent = 文件里没有写明：{ $keys }。智能体会到代码里找，其余的再问您。
init-ask-mcu = 微控制器型号（例如 STM32F401CCU6）？
init-ask-board = 哪块开发板？可以自己起名，也可以从 `fwai board list` 里选
init-ask-build = 编译固件的命令是什么？
init-ask-flash = 烧录到开发板的命令是什么？{ "{" }elf{ "}" } 和 { "{" }port{ "}" } 会自动代入
init-ask-port = 控制台接在哪个串口（例如 /dev/ttyACM0）？
init-nothing = 这里看不出是固件项目。
init-guessed = 推测：{ $why }
init-not-taken = 未采用：{ $place } 中的 { $key } { $value }
init-kept = 保留      { $key }：{ $yours } 是您设置的；文件里写的是 { $found }
init-up-to-date = .fwai 的内容都是最新的。
init-wrote = 已写入 { $files }，位于 { $directory }
init-needs = 编译之前还需要 { $needs }
init-documents = 建议放进 docs/ 的文档，回答时才有出处可以引用：
init-next = 下一步：fwai build
init-next-there = 下一步：cd { $directory } && fwai build
init-next-command = 下一步：在 .fwai/project.yaml 中设置 build.command，或用 fwai init --template bare-metal DIR 新建项目

## config

config-set = { $key } = { $value }，写入 { $file }
config-checked = 检查了 { $files } 个文件：{ $errors } 个错误，{ $warnings } 个警告
config-absent = （不存在）

## policy、trust

policy-allow = 允许：{ $reason }
policy-ask = 先询问：{ $reason }
policy-deny = 拒绝：{ $reason }
policy-because = 原因在于：{ $part }
policy-decided = 依据：{ $rule }（模式 { $mode }）
policy-no-rules = 还没有规则；在会话中选择“始终”，或用 `fwai policy rules add` 添加
policy-fixed-rule = { $rule }（来自配置文件或策略文件）
policy-remembered = 已记住：{ $rule }
policy-forgotten = 已移除：{ $rule }
policy-always-protected = 始终受保护：.git，以及 .fwai 中的策略、配置、密钥、日志、运行记录和会话
trust-nothing = 该项目没有需要信任的内容
trust-files = 以下文件将会生效：
trust-confirm = 您看过这些文件，并信任它们当前的内容吗？
trust-yes = 已信任
trust-no = 未信任

## sandbox

sandbox-off = 配置中写着 `sandbox.walls: off`：该命令不在沙箱内运行
sandbox-removed = 命令创建了受保护的 { $path }，已将其删除
sandbox-walls = 沙箱：可用
sandbox-no-walls = 沙箱：不可用，命令一律拒绝运行
sandbox-namespaces = 用户命名空间：{ $there }
sandbox-process-limit = 通过命名空间限制进程数：{ $there }
sandbox-bubblewrap = 已安装（非必需）
sandbox-no-bubblewrap = 未安装（非必需）
sandbox-missing = 缺少：{ $what }
sandbox-none-around = 沙箱：此命令外没有
sandbox-writable = 可以写入（另有私有的 /tmp），其余只读：
sandbox-protected = 其中仍然只读：
sandbox-unreadable = 不能读取：
sandbox-devices = 设备：
sandbox-nothing = 无
sandbox-network-open = 网络：开放
sandbox-network-off = 网络：无
sandbox-bounds = 上限：内存 { $memory } MB、进程 { $processes } 个、输出 { $output } MB、处理器时间 { $seconds } 秒

## undo、diff、sessions

undo-nothing = 没有可撤销的更改
undo-step = 在 { $call } 之前
diff-nothing = 没有任何更改
sessions-none = 还没有会话；用 `fwai` 或 `fwai exec` 开始
sessions-go-on = 继续：{ $command }
sessions-removed = 已删除 { $session }
transcript-session = 会话 { $session }  { $time }  { $provider } { $model }，模式 { $mode }
transcript-forked = ，自 { $session } 第 { $turn } 轮分支
transcript-turn = 第 { $turn } 轮
transcript-mode = 模式 { $from } → { $to }
transcript-plan = 计划写入 { $path }
transcript-shortened = 会话已缩短（{ $how }）：{ $before } → { $after } 个 token
transcript-permission = 请求许可：{ $what }（{ $reason }）
transcript-resolved = 答复：{ $reply }
transcript-once = 这一次
transcript-in-session = 这次会话
transcript-always = 始终允许
transcript-deny = 拒绝
transcript-ended = { $why } · { $steps } 步 · { $calls } 次工具调用

## evidence

evidence-none = 还没有运行记录；运行 `fwai build` 就有第一条
evidence-no-difference = 没有差异
evidence-no-opener = 这里没有 xdg-open，请自行打开上面的路径
evidence-run = 运行
evidence-skill = 技能
evidence-started = 开始
evidence-project = 项目
evidence-tool = 工具
evidence-exit = 退出码 { $code }
evidence-board = 开发板
evidence-sbom = SBOM
evidence-components = { $count } 个组件
evidence-debugger = 调试器
evidence-looks = 另有 { $count } 次只读取的调用，未改动任何东西
evidence-changes = 更改
evidence-change = { $files } 个文件，+{ $added } -{ $removed }，{ $budget }
evidence-in-budget = 在更改额度内
evidence-over-budget = 超出更改额度
evidence-artifact = 产物
evidence-flash = 烧录
evidence-proven = { $image } 烧录到 { $board }，通过 { $method } 验证
evidence-not-proven = { $image } 烧录到 { $board }，{ $method } 未能验证
evidence-boot = 启动
evidence-model = 模型
evidence-model-use = { $provider } { $model }：调用 { $calls } 次，输入 { $input }，输出 { $output }{ $cost }
evidence-goal = 目标
evidence-agent = 智能体
evidence-agent-work = { $iterations } 轮内调用 { $calls } 次，{ $stop }
evidence-claim = 声明
evidence-waiver = 豁免
evidence-redacted = 脱敏
evidence-signed-by = 签名者
evidence-unsigned = 尚未签名

## audit

audit-wrong = 有误
audit-problem = { $file }：{ $what }
audit-cut-off = 注意：{ $run } 中途被切断；下一次运行会补全它的记录
audit-pending = 注意：{ $run } 已完成，会随下一次运行写入日志
audit-at-work = 注意：{ $run } 正在运行
audit-note = 注意：{ $note }
audit-runs = { $runs } 次运行，日志共 { $records } 条，签名者 { $signer }
audit-no-signer = 不受信任的密钥
audit-runs-no-log = { $runs } 次运行，没有日志
audit-no-anchor = 暂无；见 `fwai audit anchor`
audit-unanchored = 上次外部锚定之后新增 { $count } 条（{ $places }）
audit-verified = 验证通过
audit-not-verified = 验证未通过
audit-problems = ：{ $count } 个问题
audit-no-log = 这里还没有日志
audit-log = { $origin }  { $count } 个叶节点  根 { $root }
audit-proved = { $path }：第 { $leaf } 个叶节点（共 { $size } 个），到已签名的根需要 { $hashes } 个哈希
audit-check-anywhere = 在任何机器上都能验证：{ $command }
audit-no-claims = 没有任何运行提出声明
claim-fresh = 有效
claim-stale = 过期
claim-unsupported = 缺乏依据
audit-forget-confirm = 要忘掉已经不在这里的日志检查点吗？
audit-forgotten = 已忘掉 { $count } 个
audit-anchored = 已将 { $count } 条锚定于 { $place }
audit-share = 分享出去：{ $command }
audit-key = 密钥标识 { $id }；旧密钥 { $count } 个
audit-rotate-confirm = 要更换新的签名密钥吗？
audit-rotated = { $new } 取代 { $old }
audit-rotated-next = 把新密钥交给在 policy.trusted_keys 中列出旧密钥的人

## security、sbom

security-in-commit = 于 { $commit }
security-none = { $files } 个文件中没有机密信息
security-found = { $files } 个文件中有 { $count } 处机密信息；请删除，并更换已经泄露的部分
sbom-unknown = 来源不明

## 模型

provider-key = 已设置密钥
provider-no-key = 没有密钥：请设置 { $variable }
provider-needs-no-key = 不需要密钥
provider-ready = 可用
provider-not-ready = 不可用
provider-used = 提供方改为 { $name }，写入 { $file }
provider-used-with = 提供方改为 { $name }，模型 { $model }，写入 { $file }
provider-other-model = 注意：provider.model 原来是 `{ $model }`；用 `fwai provider models` 查看 { $name } 提供哪些模型
provider-context = 上下文
provider-price-unknown = 价格未知
provider-price = 每百万 token：输入 ${ $input }，输出 ${ $output }
provider-no-models = { $name } 没有提供模型；如果用 Ollama：ollama pull qwen3
provider-tested = { $name } { $model }：{ $answer }；首字 { $first }，全文 { $total } ms；输入 { $input }，输出 { $output } token，费用 { $cost }
ask-token-limit = 回答达到 token 上限，没有说完；请调大 provider.max_tokens
model-again = { $error }；{ $seconds } 秒后重试
model-void = 以上作废，重新回答：

## demo

demo-intro = fwai 是固件的 AI 工程师。请看它找出并修好一个缺陷：真实的编译器、QEMU 里的开发板，不需要密钥，也不需要网络。
demo-project = 一个有缺陷的固件项目
demo-bug = 它能编译、能启动，却在打印 "boot ok" 之前触发 fault。
demo-task = 交给智能体的任务
demo-live = 以下回答来自您自己的模型。
demo-recorded = 以下模型说的话是录制的；所有工具都是真实运行的。
demo-check = 任何人都能验证的部分
demo-change = 智能体所做的修改：
demo-done = 缺陷已修复，开发板正常启动，每一步都已签名。
demo-places =
    报告：  { $report }
    项目：  { $project }
demo-look-around = 四处看看：cd 到那里，再运行 `fwai evidence list`、`fwai audit log`、`fwai undo`。
recorded-task = 固件能编译，但在开发板上从来没有打印 "boot ok"。找出原因，以最小的改动修好，并证明它能启动。
recorded-1 = 先复现问题：编译，确保测的就是源码所写的。
recorded-2 = 编译没有问题。接着是开发板：烧录的正是这个镜像。
recorded-3 = 已证明镜像在开发板上。看它启动。
recorded-4 = 它打印开头的信息后就停了。内核知道原因：读取 fault 寄存器。
recorded-5 = 内核在 led_init（src/led.c:15）发生 fault。读这个文件，并找出所有用到该地址的地方。
recorded-6 = STM32F100 的 Port C 在 APB2 上，地址是 0x40011000；文件里写的是 0x60011000，那里没有任何响应。错了一个数字。
recorded-7 = 重新编译。
recorded-8 = 烧录修好的镜像。
recorded-9 = 再看它启动。
recorded-10 = 启动成功。原因是 src/led.c:8 的 GPIO Port C 基地址：写成 0x60011000，应为 0x40011000，因此 led_init 访问了没有外设的地址，内核在打印 "boot ok" 之前就发生 fault。我改了那一个数字；新的镜像已证明在虚拟开发板上，并打印 "boot ok"。灯本身没有检查：虚拟开发板没有模拟它。

## 错误与库说的话

said-not-a-directory = { $path } 不是目录
said-no-current-directory = 无法使用当前目录：{ $error }
said-no-current-directory-next = cd 到一个存在的目录
said-needs-yes = 需要您同意：{ $question }
said-no-answer = 没有得到回答：{ $question }
said-needs-yes-next = 加 --yes 再运行一次，或在终端中运行
said-answer-unreadable = 读不到回答：{ $error }
said-set-assignment = --set { $assignment }：请写成 KEY=VALUE
said-cannot-be-written = 无法写入 { $path }：{ $error }
said-other-output = 用 --output 指定别的文件
said-stdin-unreadable = 无法读取标准输入：{ $error }
said-no-question = 没有给出问题
said-stdin-large = 标准输入超过 { $size } kB，不适合放进一个问题
said-stdin-large-next = 只传一部分，例如先经过 `tail`
said-model-wants-tool = 模型想用工具；`fwai exec` 才有工具，`fwai ask` 没有
said-model-refused = { $provider }：模型拒绝回答
said-model-stopped = { $provider }：模型停止了：{ $reason }
said-model-silent = 模型有响应，但没有文字
said-answer-cut = 打印出来的不是完整回答，请再问一次
said-check-key = 请检查密钥；fwai provider list 会显示它来自哪里
said-no-run = 没有名为 `{ $name }` 的运行记录
said-no-witness = 尚未配置见证者
said-nothing-to-anchor = 这里还没有日志，没有内容可以锚定
said-evidence-wrong-at = 证据验证未通过：{ $file }：{ $what }
said-evidence-wrong = 证据验证未通过
said-witness-failed = 见证者 { $name }：{ $why }
said-set-build-command = 运行 `fwai init`，或在 .fwai/project.yaml 中设置 build.command
said-key-not-set = 尚未设置 `{ $key }`
said-no-schema-guess = 没有名为 `{ $name }` 的 schema；您是不是想找 `{ $guess }`？
said-no-schema = 没有名为 `{ $name }` 的 schema
said-one-of = 可选：{ $names }
said-commands-unreadable = 无法读取命令：{ $error }
said-agent-unfinished = 智能体没有做完：{ $reason }
said-no-first-commit = git 无法创建演示的第一个提交：{ $why }
said-other-dir = 用 --dir 指定别的目录
said-template-changed = { $path } 的模板已经改变，演示对不上
said-not-empty = { $path } 不是空目录
said-not-a-run-file = { $file } 不是运行记录中的文件
said-needs-person = 需要人工处理：{ $what }
said-needs-answer-next = 在终端中运行、把答案写进任务，或使用 --yes（采用第一个选项）
said-needs-plan-next = 先读计划，再执行它：fwai exec --resume last --mode auto "carry out the plan"
said-needs-person-next = 在终端中运行、添加一条规则（`fwai policy rules`），或使用 --yes 或 --mode yolo
said-task-binary = 标准输入中的任务不是文本
said-task-long = 标准输入中的任务有 { $size } 字节；模型大约只能接受 { $limit }
said-task-in-words = 用文字给出任务：fwai exec "要做什么" < 文件
said-max-cost = --max-cost 需要大于 0 的美元金额
said-schema-next = 一次少要一点、放宽 schema，或换一个模型
said-schema-object = 必须是 JSON 对象
said-plan-approve = 批准这个计划吗？
said-plan-execute = 批准并执行
said-plan-keep = 继续规划
said-plan-files = 这个计划会改动的文件
said-plan-no-files = 计划没有提到任何文件。
said-no-task = 没有给出任务
said-watchdog = 超过 { $seconds } 秒，已被看门狗停止
said-answer-schema = 回答不符合 schema：{ $why }
said-answer-not-json = 回答不是 JSON：{ $error }
said-unfinished = 任务没有完成（{ $reason }）
said-board-left = 没有改动开发板
said-files-do-not-say = 项目文件没有说明：{ $keys }
said-init-open = 在终端运行 `fwai init`，或用 `fwai init --yes` 先留空
said-manual-unwritable = 无法写出手册：{ $error }
said-budget-form = --budget { $budget }：请写成 REGION=LIMIT，例如 flash=90%
said-no-rule = 没有编号为 { $number } 的规则
said-no-provider-guess = 没有名为 `{ $name }` 的提供方；您是不是想找 `{ $guess }`？
said-no-provider = 没有名为 `{ $name }` 的提供方
said-cannot-wait = 无法等待命令结束：{ $error }
said-output-limit = 命令输出超过 { $size } MB，已强制结束
said-output-limit-next = 调大 sandbox.output_mb，或改为写入文件
said-no-image = 不知道要用哪个镜像
said-no-image-next = 指定一个 ELF，在 .fwai/project.yaml 中设置 build.elf，或运行 `fwai build`
said-trust-unkept = 无法保存信任记录：{ $error }
said-not-trusted = 未信任
said-nothing-to-undo = 没有可撤销的更改
said-no-step-list = 没有第 { $number } 步；现有的步骤是 { $steps }
said-no-step = 没有第 { $number } 步
said-step-changed-nothing = 第 { $number } 步没有更改任何内容
said-undo-left = 之后又改过，保持原样：{ $files }
said-restored = 已把 { $count } 个文件恢复到第 { $number } 步之前：{ $files }
said-input-unreadable = 读不到输入：{ $error }
said-agents-list = /agents 会列出名称
said-no-agent-guess = 没有名为 `{ $name }` 的智能体；您是不是想找 `{ $guess }`？
said-no-agent = 没有名为 `{ $name }` 的智能体
said-agent-form = 请写成 /agent NAME TASK
said-export-alone = 单独的 /export 会导出最新的运行记录
said-fork-form = `{ $number }` 不是轮次的编号
said-fork-next = /fork 复制整段对话，/fork 2 只复制前两轮；/sessions show last 列出各轮
said-modes = plan、ask、auto 或 yolo
said-no-mode-guess = 没有 `{ $name }` 模式；您是不是想用 `{ $guess }`？
said-no-mode = 没有 `{ $name }` 模式
said-one-word = 模型名是一个词，中间没有空格
said-open-form = 请写成 /open、/open N 或 /open list
said-quote = 引号没有成对
said-sessions-list = /sessions 会列出它们
said-no-other-session = 这里还没有其他会话
said-session-ended = 会话已结束
said-name-a-skill = 请指定技能
said-input-form = --input { $text }：请写成 KEY=VALUE
said-input-twice = --input { $key } 给了两次
said-skill-needs-model = 技能 { $skill } 的这些步骤需要模型：{ $steps }。{ $why }
said-skill-needs-model-next = `fwai provider list` 会说明如何设置；什么都还没开始
said-negated = “{ $words }”说的是不要做什么；没有运行技能
said-skill-folder = `{ $name }` 是 SKILL.md：给智能体看的说明，不是分步流程
said-skill-untrusted = 技能 `{ $name }` 属于这个尚未受信任的项目
said-look-then-trust = 先查看 .fwai/，再运行 `fwai trust`
said-no-skill-guess = 没有名为 `{ $name }` 的技能，这些话也对不上；您是不是想用 `{ $guess }`？
said-no-skill = 没有名为 `{ $name }` 的技能，这些话也对不上
said-nothing-run = 什么都没有运行
said-name-the-skill = 请直接指定技能名称
said-doctor-configuration = 配置
said-doctor-project = 项目
said-doctor-policy = 策略
said-doctor-namespaces = 用户命名空间
said-doctor-sandbox = 沙箱
said-doctor-ports = 串口
said-doctor-port = 串口 { $port }
said-doctor-probes = 调试器
said-doctor-probe = 调试器 { $name }
said-doctor-key = { $name } 的密钥
said-doctor-provider = 模型提供方
said-doctor-online = 模型连接
said-doctor-disk = 磁盘空间
said-doctor-temporary = 临时空间
said-doctor-valid = 有效
said-doctor-no-project = 这里没有 .fwai/project.yaml
said-doctor-may = 当前用户可以创建
said-doctor-may-not = 当前用户不能创建
said-doctor-filters = 可以使用过滤器
said-doctor-no-filters = 内核不支持过滤器
said-doctor-kernel-none = 内核不支持
said-doctor-installed = 已安装
said-doctor-walls-off = 配置中已关闭；每次运行都会记录这一点
said-doctor-walls = 命令都在沙箱内运行
said-doctor-refused = 命令一律拒绝运行；缺少：{ $missing }
said-doctor-mend-above = 先修复上面几项
said-doctor-boards = { $version }；虚拟开发板：{ $names }
said-doctor-qemu = 未安装；虚拟开发板需要它
said-doctor-none-probe = 没有连接；虚拟开发板不需要
said-doctor-none = 没有连接
said-doctor-port-ok = 可读可写
said-doctor-port-denied = 当前用户没有权限；它属于用户组 { $group }
said-doctor-port-fix = sudo usermod -aG { $group } "$USER"，然后重新登录
said-doctor-set = 已设置 { $variable }
said-doctor-not-set = 未设置 { $variable }
said-doctor-no-key = { $name } 没有密钥
said-doctor-model = { $name }，模型 { $model }，位于 { $address }
said-doctor-no-provider = 没有选择提供方，也没有设置密钥；如果 Ollama 正在运行就会用它
said-doctor-provider-fix = export { $variable }=…，或 fwai provider use ollama
said-doctor-free = { $path } 剩余 { $size } MB
said-doctor-needs = 未安装；该项目需要它：{ $purpose }
said-doctor-needed = 未安装；用途：{ $purpose }
said-doctor-answers = { $name } 有响应：{ $detail }
said-doctor-no-answer = 10 秒内没有响应

# fwai run
run-understood = 理解为技能 { $skill }
run-table-step = 步骤
run-table-status = 状态
run-table-time = 时间
run-table-tries = 次数
run-table-evidence = 证据
run-verdict = { $skill }：{ $status }，{ $seconds } 秒
run-verdict-run = ；运行记录 { $run }
run-instructions = （给智能体的说明）
run-untrusted = 尚未信任，因此略过：{ $skills }
run-untrusted-next = 下一步：看过 .fwai/skills 之后运行 `fwai trust`
exec-input-binary = 标准输入是二进制数据（{ $bytes } 字节）：模型会知道这一点，并看到开头的字节
exec-input-cut = 标准输入有 { $bytes } 字节；省略中间部分，模型约收到 { $kept } 字节
exec-price-unknown = 不知道 { $model } 的价格，--max-cost 无法生效；请设置 provider.models.{ $model }.input 和 .output（每百万 token 的美元价格）
run-summary-lost = 无法写出给 CI 系统的摘要：{ $error }
run-model-unsure = 模型无法判断是哪个技能：{ $error }
run-ask-one = “{ $words }”：要运行技能 { $skill } 吗？
run-ask-which = 要哪一个？[编号]
intent-read = “{ $words }”读作“{ $core }”
intent-says-no = “{ $word }”表示不要：否定的句子不会执行任何东西
intent-asks-or-tells = “{ $word }”使这句话成为问题或叙述：只会回答，不会执行
intent-runs = 所以运行 { $skill }（由 { $layer } 决定）
intent-asks = 所以 fwai 先问：{ $skills }
intent-chat = 所以当作对话，交给代理
explain-skill = { $name }：{ $about }
explain-from = 来自 { $file }
explain-input = 输入 { $name }{ $value }
explain-when = 条件
explain-fails = 失败时
explain-limits = 限制
explain-line = { $title }：{ $text }
step-line = 步骤 { $name }
step-line-kind = 步骤 { $name }（{ $kind }）
step-retry = { $name }：{ $reason }；{ $seconds } 秒后第 { $attempt } 次尝试
step-left-out = 跳过 { $name }（{ $why }）
step-ended = 步骤 { $name }：{ $status }
step-tries = ，试了 { $count } 次
said-explain-tool-unknown = 工具 { $tool }（不存在）
said-explain-tool = 工具 { $tool }
said-explain-evidence = 汇总各步骤的证据
said-explain-analyze = 请模型分析 { $input }：{ $prompt }
said-explain-agentic = 让代理 { $agent } 处理：{ $goal }
said-explain-abort = 技能结束
said-explain-once-more = 再试一次，然后技能结束
said-explain-goes-on = 继续，但技能算失败
said-explain-ignore = 当作没事，继续
said-explain-tries = 再试 { $count } 次，第一次在 { $wait } 秒后
said-explain-limit = 每次 { $seconds } 秒
said-without-model = 不需要模型也能做：`{ $command }`
said-step-left-out = 跳过了 { $name }：{ $why }
said-intent-name-question = 正是它的名称或触发语，但是以问句说出
said-intent-name = 正是它的名称或触发语
said-intent-trigger-but = 含有触发语“{ $trigger }”，但{ $doubt }
said-intent-trigger-beside = 含有触发语“{ $trigger }”，另有 { $count } 个词
said-intent-trigger = 含有触发语“{ $trigger }”
said-intent-speaks-but = 谈到 { $words }，但{ $doubt }
said-intent-speaks-beside = 谈到 { $words }，另有 { $count } 个词
said-intent-speaks = 谈到 { $words }
said-intent-no = 这是否定句
said-intent-question = 这是问句或叙述
said-intent-writes = 它会写入开发板，而话里没有提到
said-intent-slip = “{ $said }”可能是指 { $meant }
said-intent-model = 模型：{ $why }
run-words-meant = → 技能 { $skill }
run-words-may = 这些话可能是指一个技能。
run-words-skill = 运行 { $skill }
run-words-agent = 交给智能体
run-words-neither = 都不要
said-demo-all-exist = { $path } 和其他类似的目录都已存在
said-git-cannot-start = 无法启动 git：{ $error }
said-demo-name-a-place = 用 --dir 指定位置
said-apt-install = sudo apt install { $packages }
said-demo-needs = 演示需要以下尚未安装的程序：{ $names }
said-demo-stops = 录制到此为止：{ $tool } 在这台机器上的结果（{ $ended }）与录制时（{ $recorded }）不同
said-demo-lacks = `fwai doctor` 会说明这台机器缺什么；项目在 { $project }
said-demo-on-record = 到目前为止的记录在 { $project }：fwai evidence list
said-demo-live = 设置密钥或启动 Ollama（`fwai provider list`），或不加 --live 运行 `fwai demo`

## 交互对话

repl-greeting = 说出您想做的事，或输入 /help。@文件 附上文件，Tab 补全，Ctrl-C 停止。
repl-not-set-up = 这个项目还没有配置：/init 会查看它的文件。
repl-going-on = 接续 { $id }
repl-going-on-about = 接续 { $id }：{ $title }（{ $turns } 轮）
repl-this-conversation = { $id } 就是当前的对话
repl-going-on-copy = 在 { $id } 的副本 { $copy } 中继续
repl-ascii-only = 当前区域设置只有 ASCII 字符，其他字符会显示成 ?。设置 LANG=C.UTF-8 即可全部显示。
repl-search = 搜索：
attach-outside = @{ $name } 在项目之外，没有附上
attach-missing = 找不到 @{ $name }，没有附上；按 Tab 可补全名称
attach-missing-guess = 找不到 @{ $name }，没有附上；您是指 @{ $guess } 吗？
attach-no-file = @{ $name } 不是文件，没有附上
attach-unreadable = 无法读取 @{ $name }，没有附上：{ $error }
attach-too-large = @{ $name } 有 { $bytes } 字节，太大而无法附上；智能体可以在其中搜索
attach-cut = @{ $name } 有 { $bytes } 字节；略去中间，附上 { $kept } 字节
attach-binary = @{ $name } 是二进制文件（{ $bytes } 字节）；附上大小和开头的字节
repl-press-again = 再按一次 Ctrl-C，或输入 /quit 离开
repl-nothing-asked = 没有提问；略过 `{ $line }`
repl-interrupted = 已中断；请说要改做什么
repl-thinking = 思考中
repl-ctrl-c-stops = Ctrl-C 停止
repl-mode = 模式：{ $mode }
repl-plan = 计划：{ $path }
repl-hint = 提示：{ $text }
repl-asks = 请求许可：{ $what }（{ $reason }）
plain-more-lines = （还有 { $count } 行）
answer-prompt = 您的回答{ $how }：
answer-number = （编号，或自己的话）
answer-numbers = （一个或多个编号，或自己的话）
repl-evidence = 证据 { $run }（{ $status }）
repl-shortened = 对话已缩短：{ $before } 变成 { $after } 个 token
repl-lines = { $count } 行
repl-more-lines = 另有 { $count } 行
repl-no-model = 没有模型
repl-tokens = { $count } 个 token
repl-cost-unknown = 费用不明
repl-virtual = { $board }（虚拟）
repl-say = 说明：
repl-once = 是，这一次
repl-session = 这次对话都可以
repl-always = 一律允许（写入规则）
repl-no = 否
repl-instead = 否，并说明要改做什么
repl-approve = 批准并执行
repl-keep-planning = 继续规划
repl-change-plan = 说明要修改什么
repl-choose = 选择
repl-done = 完成
repl-enter-sends = 送出
repl-esc-back = 返回
repl-own-words = 用自己的话回答
repl-no-answer = 没有回答
repl-terminal-gone = 终端已经不在
repl-session-ended = 对话已经结束
repl-no-call = 还没有调用过任何工具
repl-calls-range = 只有第 1 到第 { $last } 次调用
repl-pager-keys = 空格、b、g、G 移动   q 离开
repl-no-conversation = 还没有对话
repl-shortening = 正在缩短对话
repl-cost-read = 读入
repl-cost-cached = 其中来自缓存
repl-cost-written = 生成
repl-cost-calls = 工具调用
repl-cost-cost = 费用
repl-no-todos = 没有待办事项
repl-explorer = 只查看，不改动任何东西（内置）
repl-agents-where = 智能体是 .fwai/agents/*.yaml 里的文件，项目受信任（/trust）后生效。
repl-export-exists = { $file } 已经存在；请换个文件名
repl-new = 新的对话
repl-new-back = 新的对话；/resume { $id } 可以回去
repl-model-is = 模型：{ $model }
repl-model-how = /model 名称 或 /model 提供方/名称 在这里更换，/model list 列出可用的模型；/config set provider.model 名称 会保留
repl-model-one-word = 模型名称是一个词
repl-unknown-command = 没有 /{ $name } 这个命令
repl-unknown-command-guess = 没有 /{ $name } 这个命令；您是指 /{ $guess } 吗？
repl-open-list = 所有调用及其编号
repl-newest-session = 最新的一个
repl-no-model-yet = 还没有设置模型：请设置 ANTHROPIC_API_KEY、OPENAI_API_KEY 或 GEMINI_API_KEY，或启动 Ollama。/demo 不需要模型就能看 fwai 工作。
repl-open-quote = 引号没有结束
repl-help-rest = 其他文字都会说给智能体听。@路径 附上文件。Alt-Enter，或行尾的 \，换到下一行。
repl-help-working = 工作时：输入的内容会排队，↑ 取回，Esc 或 Ctrl-C 停止，Ctrl-O 打开最后一次调用。
repl-group-conversation = 对话
repl-group-firmware = 固件
repl-group-agents = 智能体与技能
repl-group-done = 做过的事
repl-group-settings = 设置
repl-group-and = 其他
slash-help = 这里可以输入什么
slash-mode = 不询问就能做到什么程度
slash-plan = 只读取，并写出计划
slash-act = 开始动手
slash-model = 显示或更换模型
slash-todos = 智能体还要做的事
slash-agents = 可以交付任务的智能体
slash-agent = 把任务交给智能体
slash-skills = 可以执行的流程
slash-open = 一次调用的完整输出（Ctrl-O）
slash-new = 开始新的对话
slash-resume = 接续先前的对话
slash-fork = 在这次对话的副本中继续
slash-sessions = 这个项目先前的对话
slash-compact = 立刻缩短对话
slash-cost = 到目前为止的 token 与费用
slash-undo = 撤销智能体的改动
slash-export = 对话存成 Markdown，或运行记录存成 HTML、CSV、SARIF、JSON
slash-init = 设置这个项目
slash-run = 在这次对话中执行技能
slash-quit = 离开（Ctrl-D）
said-run-has-no-file = 运行记录 { $run } 没有 { $file }
said-run-or-exec = fwai run --list，或交给智能体：fwai exec "…"
said-doctor-bubblewrap-there = 已安装，但不需要：fwai 自己建立沙箱
said-doctor-bubblewrap-absent = 未安装，也不需要：fwai 自己建立沙箱
said-doctor-bounds = 资源上限
said-doctor-bounded = 命令整棵进程树的进程数和内存都有上限
said-doctor-bounded-memory = 命令整棵进程树的内存有上限；进程数按用户限制（Linux 6.14 起按命名空间）

## 机密规则（英文在规则数据里）

secret-private-key-pem = 私钥（PEM、OpenSSH、PGP），也包括 C 字符串和 JSON 里的
secret-private-key-putty = PuTTY 私钥
secret-private-key-der-array = C 字节数组里的 DER 私钥
secret-private-key-der-base64 = DER 私钥的 base64，没有 PEM 头
secret-aws-access-key-id = AWS 访问密钥 ID
secret-aws-secret-key = AWS 私有访问密钥
secret-github-token = GitHub token
secret-github-fine-grained-token = GitHub 细粒度 token
secret-gitlab-token = GitLab token
secret-gcp-api-key = Google API 密钥（Cloud、Gemini、Firebase）
secret-gcp-oauth-secret = Google OAuth 客户端密钥或访问 token
secret-azure-key = Azure 存储、Service Bus 或 IoT Hub 密钥
secret-azure-sas = Azure 共享访问签名
secret-azure-ad-secret = Azure AD 客户端机密
secret-slack-token = Slack token
secret-slack-webhook = Slack webhook
secret-stripe-key = Stripe 密钥
secret-npm-token = npm token
secret-pypi-token = PyPI token
secret-anthropic-key = Anthropic API 密钥
secret-openai-key = OpenAI API 密钥
secret-api-key-sk = sk-… 形式的 API 密钥
secret-model-provider-key = 模型提供方的 API 密钥（Groq、xAI、Perplexity、Hugging Face、Replicate）
secret-jwt = JSON Web Token
secret-service-token = 有已知前缀的服务 token（DigitalOcean、Docker、Vault、Grafana、SendGrid、Shopify、Databricks…）
secret-chat-bot-token = Telegram 或 Discord token
secret-authorization-header = HTTP 头里的凭据
secret-url-credentials = URL 里的密码
secret-wifi-password = Wi-Fi 密码
secret-wifi-begin = 调用里的 Wi-Fi 密码
secret-secure-boot-key = C 数组里的安全启动密钥（MCUboot、ESP secure boot、OTA）
secret-crypto-key-array = C 数组里的加密密钥
secret-crypto-key-hex = 十六进制字符串的加密密钥
secret-aws-session-token = AWS session token
secret-iot-cloud-key = IoT 云的密钥（Firebase messaging、The Things Network、Edge Impulse）
secret-docker-auth = Docker 配置中的 registry 凭据
secret-password-hash = 系统账号的密码哈希
secret-token-in-url = URL 里的 token
secret-password-in-xml = XML 元素里的密码
secret-password-in-command = curl 或 sshpass 命令里的密码
secret-netrc-password = .netrc 文件里的密码
secret-nvs-secret = NVS 分区表里的机密
secret-escaped-secret = 转义引号里的机密（编译选项、JSON 里的 JSON、AT 命令）
secret-network-connect = 连接调用里的密码
secret-token-in-call = 登录调用里的 token
secret-key-fromhex = Python 里由十六进制字符串得来的加密密钥
secret-key-base64 = base64 形式的对称密钥
secret-define-key = 源码里直接写的密钥
secret-key-array = 数组里的密钥（十进制、转义字符或 Rust）
secret-command-line-secret = 命令行上的机密
secret-password-literal = 源码里直接写的密码
secret-password = 源码或配置中的密码
secret-password-unquoted = 环境或配置文件里的密码
secret-api-token = 源码或配置中的 API 密钥、机密或 token

## fwai 自带的技能（英文在各自的 YAML）

skill-build_and_test = 编译固件，再运行测试。
skill-build_flash_monitor = 编译固件、烧录开发板，并观察它启动。
    .board = 要烧录的开发板；留空时用项目的
skill-fix_build = 编译固件，让智能体修好失败的地方。
skill-diagnose_boot = 从控制台和 fault 寄存器找出固件为何无法启动。
skill-size_report = 编译固件，并报告闪存和 RAM 用在哪里。
    .against = 要比较的 ELF 或 git 版本；留空时不比较

## 请求允许的事与理由

may-run-open = 在沙箱中运行 `{ $command }`，并开放网络
may-run = 在沙箱中运行 `{ $command }`
may-write = 写入 { $path }
may-change = 修改 { $path }
may-fetch = 下载 { $url }
may-flash = 把编译好的固件烧录到开发板
may-reset = 重新启动开发板
may-erase = 擦除开发板的存储器
may-fuse = 烧写熔丝，无法撤销
may-use = 使用 { $tool } { $arguments }
may-since-reads = 只读取
may-since-network = 会打开网络连接
may-since-environment = 它的环境变量会改变运行哪些程序
may-since-program = fwai 不认识 `{ $name }` 这个程序；它受沙箱限制
may-since-known-later = 会修改 `{ $path }`，运行时才知道是什么
may-since-outside-change = 会修改项目之外的 { $path }
may-since-outside-read = 会读取项目之外的 { $path }
may-since-outside = { $path } 在项目之外
may-since-files = 会修改项目的文件
may-since-in-place = 直接修改文件
may-since-restorable = 更改可以撤销
may-since-written = 写入 { $path }，可以撤销
may-since-secrets = { $path } 包含机密信息
may-since-contacts = 会连接 { $host }
may-since-tool-runs = { $tool } 会运行程序
may-since-tool-network = { $tool } 会使用网络
may-since-virtual = 虚拟开发板不会留下任何影响
may-since-board-reset = 会重新启动开发板
may-since-board-flash = 会写入开发板
may-since-board-erase = 会擦除开发板
may-since-board-fuse = 会烧写熔丝，无法撤销
may-since-plan = 规划模式只能读取：{ $why }
may-since-unknown = fwai 无法判断它会做什么：{ $why }
may-since-no-walls = { $why }；外面没有沙箱
may-since-blocked = 策略禁用工具 { $tool }
said-flash-board = 烧录开发板 { $name }（{ $kind }；{ $title }）
said-flash-image = 镜像     { $path }
said-flash-size = 大小     { $count } 字节
said-flash-region = 区域     { $name }：{ $length } 字节中的 { $used }，位于 { $origin }（{ $percent } %）
said-proof-equal = 读回 { $count } 字节，与 { $path } 一致
said-own-directory = 您自己的目录
may-since-talks = `git { $command }` 会连接其他机器

# 较少见的库消息
said-document-unknown-in = `{ $path }` 中无法识别的键 `{ $key }`
said-document-unknown = 无法识别的键 `{ $key }`
said-document-choice = `{ $path }` 不能是 `{ $text }`
said-document-range = `{ $path }` 超出范围
said-document-needs = `{ $place }` 需要键 `{ $required }`
said-document-itself = 这份文件需要键 `{ $required }`
said-document-type = { $subject } 必须是{ $wanted }，这里却是{ $found }
said-document-variable = 没有设置环境变量 { $name }
said-document-single = 一个文件只能有一份 YAML 文档
said-document-allowed = 可用的值：{ $words }
said-turn-limit = 这一轮在{ $limit }停止；说“continue”可以继续。
said-turn-calls = 一轮最多 { $count } 次模型调用的上限
said-turn-tokens = 一轮最多 { $most } 个输出 token 的上限
said-turn-cost = 一轮最多 ${ $most } 的上限
said-turn-stuck = 这一轮已停止：模型一再重复失败的调用。
said-turn-cut = 回答在模型的输出上限处被截断；说“continue”获取其余部分。
said-turn-window = 对话超过模型的窗口，而且无法再缩短
said-hint-new-session = 开始新的会话，或设置 `provider.context_window`
said-hint-doctor = `fwai doctor` 会检查连接
said-hint-wait = 稍等一下，再说“continue”
said-demo-hint = `fwai demo` 不需要密钥、开发板或网络，就能看 fwai 工作
said-guess-directory = 目录就叫这个名字
said-datasheet-any = 微控制器的数据手册
said-errata-any = 微控制器的勘误表
said-reference-any = 微控制器的参考手册
said-schematic-any = 开发板的原理图
said-schematic = 开发板 { $board } 的原理图
said-datasheet = { $chip } 的数据手册
said-errata = { $chip } 的勘误表
said-doctor-usual = 默认模型
said-doctor-silent = { $path } 对 `{ $argument }` 没有响应
said-sandbox-ended = 命令已被终止：{ $why }
said-sandbox-do-less = 提高那项设置，或让命令少做一些
said-anywhere = { $place }: { $words }

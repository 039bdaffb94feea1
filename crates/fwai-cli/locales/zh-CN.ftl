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
wrote = 已写入 { $path }
kept-as-run = 已保存为运行记录 { $run }
untrusted-settings = 该项目尚未受信任，因此 .fwai/config.yaml 中的以下配置不生效：{ $keys }
untrusted-settings-next = 先查看内容，再运行 `fwai trust`

status-success = 成功
status-failure = 失败
status-running = 运行中
status-interrupted = 中断
status-denied = 被拒绝
status-timeout = 超时

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

## doctor

doctor-ok = 正常
doctor-warning = 警告
doctor-problem = 问题
doctor-mend = 修复：

## init

init-questions = 项目文件没有说明以下几项；直接回车表示暂不配置。
init-ask-mcu = 微控制器型号（例如 STM32F401CCU6）？
init-ask-board = 哪块开发板？可以自己起名，也可以从 `fwai board list` 里选
init-ask-build = 编译固件的命令是什么？
init-ask-flash = 烧录到开发板的命令是什么？{ "{" }elf{ "}" } 和 { "{" }port{ "}" } 会自动代入
init-ask-port = 控制台接在哪个串口（例如 /dev/ttyACM0）？
init-nothing = 这里看不出是固件项目。
init-guessed = 推测：{ $why }
init-not-taken = 未采用：{ $place } 中的 { $key } { $value }
init-kept = 保留      { $key }：{ $yours } 是你设置的；文件里写的是 { $found }
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
trust-confirm = 你看过这些文件，并信任它们当前的内容吗？
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

## undo、diff、sessions

undo-nothing = 没有可撤销的更改
undo-step = 在 { $call } 之前
diff-nothing = 没有任何更改
sessions-none = 还没有会话；用 `fwai` 或 `fwai exec` 开始
sessions-go-on = 继续：{ $command }
sessions-removed = 已删除 { $session }

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

demo-project = 一个有缺陷的固件项目
demo-bug = 它能编译、能启动，却在打印 "boot ok" 之前触发 fault。
demo-task = 交给智能体的任务
demo-live = 以下回答来自你自己的模型。
demo-recorded = 以下模型说的话是录制的；所有工具都是真实运行的。
demo-check = 任何人都能验证的部分
demo-change = 智能体所做的修改：
demo-done = 缺陷已修复，开发板正常启动，每一步都已签名。
demo-places =
    报告：  { $report }
    项目：  { $project }
demo-look-around = 四处看看：cd 到那里，再运行 `fwai evidence list`、`fwai audit log`、`fwai undo`。

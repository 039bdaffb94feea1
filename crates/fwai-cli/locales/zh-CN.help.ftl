# `--help` 与命令行错误，简体中文（大陆）。英文就是源代码里的说明注释。
# help-<命令>：一句话说明；.more 是较长的说明，.examples 是示例，其余属性是各个参数。

heading-usage = 用法：
heading-commands = 命令：
heading-arguments = 参数：
heading-options = 选项：
heading-global-options = 通用选项：
heading-examples = 示例：
remark-default = [默认：
remark-values = [可选值：
remark-variable = [环境变量：
remark-aliases = [别名：
remark-values-below = 可选值：
remark-options = [选项]
remark-command = [命令]
help-of-help = 显示帮助（--help 比 -h 详细）
help-of-version = 显示版本
help-of-subcommands = 显示本帮助，或某个命令的帮助

mistake-word = 错误：
mistake-unknown-argument = 无法识别的参数 '{ $argument }'
mistake-unknown-command = 无法识别的命令 '{ $command }'
mistake-missing-command = '{ $command }' 后面还需要一个命令
mistake-missing-argument = 缺少必需的参数：{ $argument }
mistake-missing-value = '{ $argument }' 需要一个值
mistake-wrong-value = '{ $argument }' 不接受 '{ $value }' 这个值
mistake-too-many-values = '{ $argument }' 的值太多，用不到 '{ $value }'
mistake-conflict = '{ $argument }' 不能与 { $other } 同时使用
mistake-allowed = 可选值：{ $values }
mistake-guess = 你是不是想用 '{ $guess }'？
mistake-see-help = 详细用法请加 '--help'。

## fwai

help-fwai = fwai，固件开发的 AI 工程师
    .more = 阅读、规划、修改、编译、烧录、监视控制台并调试，每次操作都留下任何人都能验证的证据。不带命令则进入交互会话。
    .examples =
        示例：
          fwai init                      配置当前项目
          fwai build                     编译
          fwai exec "why does it fault?"  交给智能体做一次
          fwai doctor                    这台机器还缺什么

        退出码：0 成功，1 工作失败，2 用法或配置有误，3 被策略拒绝，
        4 需要人工处理，124 看门狗超时，130 被中断。
    .json = 在标准输出打印一个 JSON 对象；给人看的文字转到标准错误
    .quiet = 只说必要的话
    .yes = 凡有安全答案的问题，一律回答“是”
    .ci = 从不提问；遇到问题就以退出码 4 结束
    .verbose = 输出更多日志；两次用于调试，三次输出全部
    .color = 何时使用颜色
    .lang = 显示语言：en、zh-TW 或 zh-CN
    .directory = 视为在该目录下启动
    .set = 仅为本次运行设置一个配置键
    .provider = 本次运行的提供方：anthropic、openai、gemini、ollama、local、replay
    .model = 本次运行的模型
    .base_url = 兼容模型服务器的地址

help-doctor = 检查这台机器：工具链、沙箱、开发板、串口、密钥、配置
    .more = 每一行是正常、警告或问题，并给出修复命令；有问题时退出码为 1。绝不打印密钥；除非加 --online，否则不会向外发送任何内容。
    .online = 另外询问模型提供方能否连通；不消耗 token

help-exec = 交给智能体一项任务，等它完成
    .more = 标准输入的文本会作为资料交给模型。加 --json 时，标准输出每行一个事件，最后一个是 turn_ended。
    .examples =
        示例：
          fwai exec "为什么一启动就 fault？"
          make 2>&1 | fwai exec "解释第一个错误"
          fwai exec --mode plan "怎么加看门狗？"
          fwai exec --resume last "继续"
          fwai exec --json --max-turns 20 "修好编译" > events.jsonl
    .task = 任务内容；`-` 表示从标准输入读取
    .mode = 不经询问可以做到什么程度
    .max_turns = 这一轮最多调用模型几次
    .max_cost = 这一轮最多花费多少美元
    .output_schema = 最终回答必须是符合该 schema 的 JSON
    .resume = 继续某个会话：标识或 `last`
    .watchdog = 超过这么多秒就以退出码 124 结束

help-demo = 看智能体在虚拟开发板上找到并修复一个真实缺陷
    .more = 不需要密钥、开发板或网络。模型说的话是录制的，所有工具都真实运行。
    .live = 改问你自己的模型，不播放录制内容
    .dir = 项目建在哪里；未指定时用新的临时目录

help-sessions = 列出、查看、继续、分叉和删除会话
    .more = 会话可用标识、标识开头或 `last` 指定。
    .examples =
        示例：
          fwai sessions list
          fwai sessions show last
          fwai sessions fork last --turn 2
          fwai exec --resume last "继续"
help-sessions-list = 列出所有会话，最新的在前
    .all = 包括子智能体的会话
help-sessions-show = 打印说过和做过的事
    .session = 标识、标识开头，或 `last`
help-sessions-resume = 继续某个会话
    .session = 标识、标识开头，或 `last`
help-sessions-fork = 把会话复制到某一轮为止，换个方向继续
    .session = 标识、标识开头，或 `last`
    .turn = 保留到第几轮；未指定时全部保留
help-sessions-rm = 删除会话
    .sessions = 标识、标识开头，或 `last`

help-build = 编译固件；指出错在哪里（最可能的原因在前），以及生成了什么
    .more = 在沙箱中运行 .fwai/project.yaml 的编译命令；没写时根据项目文件判断。
    .command = 改为运行这条 shell 命令
    .clean = 先运行项目的清理命令
    .allow_network = 允许编译时访问网络（包管理器）
    .output = 实时显示编译工具的输出

help-memory = 显示镜像的字节用在哪里：区域、段、文件、符号
    .more = .fwai/project.yaml 的 memory.budgets 与 --budget 是门槛：只要超出一项，退出码就是 1。
    .elf = 镜像；未指定时用最新的编译结果
    .against = 与这个 ELF 比较，或与某个 git 版本比较（会为此编译它）
    .map = 链接器 map 文件；未指定时在 ELF 旁边查找
    .script = 定义内存区域的链接脚本
    .html = 写出单文件的矩形树图网页
    .top = 表格中文件和符号的行数
    .budget = 某个区域的上限，百分比或字节
    .max_symbol_growth = 对比之下，单个符号最多可增长的字节数

help-undo = 撤销智能体所做的更改，包括 shell 命令造成的
    .examples =
        示例：
          fwai undo            上一次更改
          fwai undo --list     可以撤销哪些
          fwai undo --to 1     第 1 步以来的全部
    .to = 把文件恢复到这一步之前
    .list = 列出各步骤

help-diff = 显示智能体所做的更改，包括 shell 命令造成的

help-trust = 信任该项目当前的 hook、工具、智能体、技能和规则
    .more = 未受信任、或信任之后又改动过的项目，不能运行它自带的任何东西。
    .show = 只显示是否已信任
    .revoke = 收回信任

help-init = 配置当前项目，或新建项目
    .more = 从项目文件读出构建系统、芯片、开发板、时钟、内存布局、命令和串口配置，文件没写的才询问，然后写入 .fwai/。再次运行时只更新它自己写的部分，你写的都会保留。
    .examples =
        示例：
          fwai init                                    配置当前目录的项目
          fwai init --yes                              缺少的部分采用最佳推测
          fwai init --template bare-metal my-firmware  新建能在虚拟开发板上启动的项目
    .dir = 项目目录；未指定时为当前目录
    .template = 新建项目：bare-metal、freertos 或 arduino
    .name = 新项目的名称；未指定时用目录名
    .answer = 说出文件没写的：mcu=STM32F401CCU6、flash_command='make flash'；可重复

help-evidence = 列出、查看和比较运行记录
help-evidence-list = 列出运行记录，最新的在前
    .count = 最多几条
help-evidence-show = 显示一条运行记录
    .run = 运行标识、其开头、`build` 之类的标签，或 `latest`
    .log = 改为打印这次运行的某个文件，例如 build.log
help-evidence-diff = 逐字段比较两条运行记录
    .old = 较早的运行
    .new = 较晚的运行
help-evidence-open = 在浏览器中打开运行记录的报告
    .more = 页面会重新生成，并显示当前的验证结果。优先用 $BROWSER 打开，其次用桌面默认程序；没有桌面时则打印路径。
    .run = 运行标识、其开头、`build` 之类的标签，或 `latest`
    .file = 改为打开其中一个文件，例如 changes.diff

help-audit = 验证证据、向他人证明运行、锚定日志
help-audit-verify = 检查运行记录、签名、日志和锚点
    .more = 每次运行的每个文件都与已签名的声明比对，每份声明与 Merkle 日志比对，日志再与存放在别处的每个检查点比对。全部一致时退出码才是 0。
    .run = 运行标识、其开头、`build` 之类的标签，或 `latest`；未指定时检查全部
    .all = 检查全部；未指定运行时本来就是如此
help-audit-prove = 写出一次运行的证明包，内附 Python 验证程序
    .run = 运行标识、其开头、`build` 之类的标签，或 `latest`
    .output = 目录，或以 .tar 结尾的文件名；默认为运行标识加 `-proof`
help-audit-log = 列出日志的叶节点，最新的在前
    .count = 几条
help-audit-claims = 指出哪些声明有效、哪些已过期
    .more = 声明以 SHA-256 覆盖文件并引用运行记录；覆盖的文件改动后即过期，引用的运行不存在或未成功则缺乏依据。每一类最新的声明决定退出码。
    .run = 只看这次运行的声明
help-audit-anchor = 把日志的检查点存到 git notes、标签或见证者
    .more = 每次运行都会在你自己的目录保存一份；这个命令另外保存，推送之后其他人也能看到：git notes 在 refs/notes/fwai，标签为 fwai/<size>。
    .notes = 存到 HEAD 的 git notes
    .tag = 存为附注标签 fwai/<size>
    .sign = 标签另外用你的 git 密钥签名
    .witness = 存到 evidence.witness_url 指定的见证者
    .forget = 询问后，忘掉以前在这里而现在已不在的日志
help-audit-key = 显示或更换签署证据的密钥
help-audit-key-show = 打印公钥，供他人填入 `policy.trusted_keys`；没有密钥时会生成一个
    .pem = 以 PEM 格式输出，供 openssl 使用
help-audit-key-rotate = 更换新密钥；更换声明由新旧两个密钥共同签署

help-export = 把运行记录导出为 JSON、CSV、SARIF 或 HTML
    .more = HTML 每次运行一个独立文件，多条时另有索引。导出前会检查每次运行的验证状态，并写入各种格式（CSV 的明细除外）。
    .examples =
        示例：
          fwai export latest                         20260228-161234-build.html
          fwai export --all --format html -o report  report/index.html，每次运行一页
          fwai export --all --format csv -o runs.csv
          fwai audit export --all --format sarif > runs.sarif
    .runs = 标识、标识开头、标签，或 `latest`；未指定时为最新一条
    .all = 项目的所有运行记录
    .format = 未指定时由输出文件名决定，否则为 HTML
    .output = 文件；多页 HTML 时为目录；`-` 表示标准输出

help-ask = 问模型一个问题，回答实时输出到标准输出
    .more = 从管道进来的内容会作为上下文交给模型。不用工具、不留会话、不改任何东西。
    .examples =
        示例：
          fwai ask "HardFault FORCED 是什么意思？"
          arm-none-eabi-size app.elf | fwai ask "放得进 64 kB 吗？"
          fwai ask --model gpt-5 --json "…"
    .question = 问题；未指定时以标准输入为问题
    .system = 希望模型扮演的角色
    .no_stream = 等整个回答完成再输出

help-policy = 说明并修改允许的范围
help-policy-check = 说明某条 shell 命令会如何处理，以及原因
    .command = 照实际输入的样子写出命令
    .mode = plan、ask、auto 或 yolo；未指定时用配置的模式
    .cwd = 在哪个目录运行，相对于项目
help-policy-rules = 这里适用的规则
help-policy-rules-list = 列出规则；有编号的可以移除
help-policy-rules-add = 为该项目记住一条规则
    .verdict = allow、ask 或 deny
    .command = 命令开头的几个词，例如 "git push"
    .tool = 工具名或通配符模式
    .path = 调用会涉及的路径模式
    .reason = 理由；规则生效时会显示
help-policy-rules-remove = 忘掉一条记住的规则
    .number = 在 `fwai policy rules list` 中的编号
help-policy-show = 这里适用的完整策略

help-sandbox = 在沙箱中运行命令
    .more = 项目可写，但受保护的路径除外；系统其余部分只读，机密信息读不到，未经允许不能联网。不给命令时，显示这台机器的沙箱有哪些防护。
    .mode = plan 使一切只读
    .allow_network = 开放这台机器的网络
    .writable = 另外允许写入的目录
    .device = 允许使用的设备节点
    .explain = 说明开放与封闭的范围，不运行任何命令
    .command = 命令及其参数

help-provider = 列出、检查和选择模型提供方
help-provider-list = 列出所有提供方、密钥状态和当前使用的；不连接服务器
help-provider-status = 询问服务器能否使用；不消耗 token
    .name = 当前使用的以外的提供方
help-provider-use = 为该项目选择提供方
    .name = 提供方；加 --model 可同时选择模型
    .user = 应用到你的所有项目
help-provider-models = 列出服务器提供的模型和价格
    .name = 当前使用的以外的提供方
help-provider-test = 请模型回一个词并测量时间；会消耗少量 token
    .name = 当前使用的以外的提供方

help-security = 在文件、暂存区和历史中查找机密信息
    .examples =
        示例：
          fwai security scan
          fwai security scan src --json
          fwai security scan --staged        放在 pre-commit hook
          fwai security scan --history --sarif -o secrets.sarif

        注释中带 `fwai:allow-secret` 的行会跳过；config.yaml 的 `security.allow` 可列出只是看起来像机密的正则表达式。
help-security-scan = 查找机密信息；只要找到，退出码就是 1
    .path = 文件或目录；未指定时为当前目录
    .staged = 检查下一次提交的内容
    .history = 检查 git 中每个文件的每个版本
    .gitignore = 跳过 .gitignore 列出的文件
    .everything = 连编译产物和已安装的包也检查
    .sarif = 输出 SARIF 2.1.0
    .output = 把 JSON 或 SARIF 写入文件
help-security-rules = 列出规则

help-sbom = 以 CycloneDX 1.6 说明镜像中真正链接了什么
    .more = 读取镜像的调试信息和链接器的 map 文件。在终端显示表格；加 --json 或接到管道时输出 SBOM 本身。在 fwai 项目中也会保存为一条运行记录。
    .elf = 镜像；未指定时用最新的编译结果
    .map = 链接器 map 文件；未指定时在镜像旁边查找
    .output = 把 SBOM 写入文件

help-flash = 把最新的编译结果烧录到开发板，并证明它确实在上面
    .more = 必须是这个镜像本身编译成功才放行。能读回的开发板会逐字节比对，否则等待固件自己的 build-id 或启动信息。
    .image = 镜像；未指定时用最新的编译结果
    .board = 开发板；未指定时用项目的

help-monitor = 监视开发板的控制台，判断是否启动成功
    .more = 在终端中每个按键都发给开发板，Ctrl-] 退出。加 --until、--for 或 --json 就不必有人守着。虚拟开发板会保留控制台内容，晚一点监视也能看到启动过程。
    .until = 有一行匹配这个正则表达式就成功结束；可重复
    .fail = 有一行匹配就失败结束；可重复
    .time = 监视多久：500ms、10s、2m
    .send = 向开发板发送一行（支持 \n、\r、\t、\xNN）；可重复
    .timestamps = 每行前面加上从开始到现在的秒数
    .hex = 以十六进制显示字节
    .log = 另外把原始字节写入这个文件
    .new = 只看从现在起的输出，不看上次复位以来的
    .reset = 先复位开发板
    .elf = 用来解析地址的 ELF；未指定时用最新的编译结果
    .board = 开发板；未指定时用项目的

help-debug = 调试开发板上的固件
    .more = 不加 -c 时逐行读取命令，直到 `quit`。ELF 必须就是开发板上运行的那一份；`decode_fault` 能把 hard fault 解释到具体哪一行。
    .command = 一条调试命令；可重复
    .elf = 带符号的 ELF；未指定时用最新的编译结果
    .board = 开发板；未指定时用项目的
    .attach = 保持内核现状，绝不自动复位
    .timeout = 让目标运行的命令，时间上限
    .target_only = 只允许与目标有关的命令，接触不到这台电脑
    .other_elf = ELF 与运行中的不同也照样调试；行号和变量会不正确

help-board = 列出、选择和控制开发板
    .more = 开发板是数据：内置虚拟开发板，你自己的放在 .fwai/boards/*.yaml。
help-board-list = 每块开发板的类型、芯片和状态
help-board-info = 一块开发板的资料；未指定时为当前选用的
    .name = 开发板名称
help-board-use = 选择该项目的开发板（project.yaml 的 target.board）
    .name = 开发板名称
help-board-power = 打开或关闭开发板
    .state = on 或 off
    .name = 开发板名称；未指定时为当前选用的
help-board-reset = 重新启动开发板上的固件
    .name = 开发板名称；未指定时为当前选用的

help-config = 显示、检查和修改配置
    .more = 由低到高：内置、用户、项目、环境变量（FWAI_*）、命令行参数。
help-config-show = 打印在这里生效的完整配置
    .origin = 说明每个值来自哪一层
help-config-get = 打印一个值
    .key = 以点分隔的键，例如 provider.model
help-config-set = 设置一个值；文件的注释和顺序不变
    .key = 以点分隔的键，例如 provider.model
    .value = 值，按 YAML 的写法
    .user = 写到你自己的配置，而不是项目的
help-config-validate = 检查配置文件；未指定时检查这里适用的全部
    .files = 要检查的文件
help-config-path = 打印配置文件的位置
help-config-schema = 打印某类文件的 JSON Schema；未指定时列出有哪些
    .family = 文件种类，例如 config

help-completions = 打印 shell 的自动补全脚本
    .more = bash：fwai completions bash > ~/.local/share/bash-completion/completions/fwai
    .shell = 哪种 shell

help-man = 打印手册页，或把全部写到一个目录
    .pages = 存放 fwai.1、fwai-build.1 等文件的目录

help-run = 运行技能：分步流程，整体留下一份证据
    .more = 每一步都经过与智能体调用相同的策略、权限和沙箱。不给名称就列出技能；不是名称的话会当作意图来理解。
    .examples =
        示例：
          fwai run                               列出技能
          fwai run build_flash_monitor           编译、烧录、看它启动
          fwai run build_and_test --ci --json --watchdog 600
          fwai run size_report --input against=HEAD~1
          fwai run --explain fix_build           逐步说明会做什么
          fwai run "build it and flash the board"
          fwai run 帮我编译并烧录

        技能是 .fwai/skills/（项目受信任之后）以及你自己目录中的 YAML 文件；
        写法见 docs/writing-skills.md。
    .skill = 技能名称，或能表达它的话
    .inputs = 给技能一个值；可重复
    .list = 列出技能
    .explain = 显示各步骤，以及为何这些话指的是这个技能；不运行
    .dry_run = 检查一切，显示代入输入之后的步骤；不运行
    .mode = 不经询问可以做到什么程度
    .watchdog = 超过这么多秒就全部结束，退出码 124

# 错误说的话，简体中文。英文在各类型的 `#[error("…")]`；键是 crate 与类型，属性是变体，变量是字段。

system =
    .NotFound = 没有那个文件或目录
    .PermissionDenied = 权限不够
    .ConnectionRefused = 连接被拒绝
    .ConnectionReset = 连接被对方重置
    .ConnectionAborted = 连接中止
    .NetworkUnreachable = 网络不可达
    .HostUnreachable = 主机不可达
    .AddrInUse = 地址已被占用
    .AddrNotAvailable = 地址不可用
    .BrokenPipe = 管道的另一端已关闭
    .AlreadyExists = 已经存在
    .NotADirectory = 不是目录
    .IsADirectory = 是目录
    .DirectoryNotEmpty = 目录非空
    .ReadOnlyFilesystem = 文件系统只读
    .InvalidInput = 参数无效
    .TimedOut = 超时
    .StorageFull = 磁盘空间不足
    .QuotaExceeded = 超出磁盘配额
    .FileTooLarge = 文件过大
    .ResourceBusy = 设备或资源忙
    .ExecutableFileBusy = 程序文件正在运行
    .CrossesDevices = 跨越了文件系统
    .TooManyLinks = 链接过多
    .InvalidFilename = 文件名无效或过长
    .ArgumentListTooLong = 参数列表过长
    .Interrupted = 被中断
    .WouldBlock = 资源暂时不可用
    .OutOfMemory = 内存不足

## fwai-agent

agent-ForkError =
    .Empty = 会话 { $session } 没有可供分支的事件
    .NoSuchTurn = 会话 { $session } 有 { $turns } 轮；没有第 { $turn } 轮

agent-HostError = { $what }

agent-SkillFileError =
    .NoHead = { $file }：没有文件头；请以 `---`、`name:`、`description:` 和 `---` 开头
    .OpenHead = { $file }：文件头没有结束；请加一行 `---`
    .Yaml = { $file }：{ $message }
    .Missing = { $file }：文件头缺少 `{ $key }`

## fwai-app

app-AnswerSchemaError =
    .Read = 无法读取 { $path }：{ $error }
    .NotJson = { $path } 不是 JSON：{ $error }
    .NoSchema = { $path } 不是 JSON Schema：{ $why }

app-NoElf =
    .NoBuild = 还没有编译记录，也没有设置 `build.elf`；请先运行 `fwai build`，或指定 ELF
    .NotMade = 最新的编译（{ $run }）没有生成 ELF；请在 .fwai/project.yaml 中设置 `build.elf`，或指定 ELF
    .Gone = { $path } 不存在；请运行 `fwai build`

app-BuildRunError =
    .NoCommand = 该项目没有配置编译命令

app-ConfigError =
    .Problems = { $join }
    .Write = 无法写入 { $path }：{ $source }

app-FileError =
    .Unreadable =
        无法读取 { $path }：{ $source }
          下一步：检查它的权限（`ls -l { $path }`）
    .Directory =
        { $path } 是目录，这里需要的是文件
          下一步：把它移走
    .TooLarge = { $path } 超过 { $max_file } 字节，不可能是配置文件
    .NotText =
        { $path }:{ $line }：第 { $offset } 个字节不是 UTF-8 文本
          下一步：把文件保存为 UTF-8

app-PolicyError =
    .Organisation =
        无法读取组织策略 { $org }：{ $why }
          下一步：修正 `org_policy.source`，或询问设置它的人

app-EvidenceSetupError =
    .TrustedKey = policy.trusted_keys：`{ $key }`：{ $error }

app-MemoryRunError =
    .NoElf = 不知道要用哪个镜像：指定一个 ELF，在 .fwai/project.yaml 中设置 build.elf，或运行 `fwai build`
    .UnknownAgainst = { $it } 既不是文件，也不是该项目的 git 版本
    .NoCommand = 无法编译 { $it } 来比较：该项目没有设置编译命令
    .RevisionFails = 版本 { $revision } 无法编译{ $first }
    .Scratch = 无法准备版本 { $revision }：{ $source }

app-KeyError =
    .NoKey = provider.api_key_env：${ $variable } 里没有可用的密钥
    .Unreadable = provider.api_key_file：读不到 { $path }：{ $source }
    .Open = provider.api_key_file：其他人可以读取 { $path }；请运行 chmod 600 { $path }
    .NoKeyInFile = provider.api_key_file：{ $path } 里没有密钥（应为一行、没有空格）
    .NoCommand = provider.api_key_cmd：无法启动命令：{ $it }
    .CommandFailed = provider.api_key_cmd：命令失败（{ $it }）；它的输出在上面
    .NoKeyPrinted = provider.api_key_cmd：命令没有输出密钥（应为一行、没有空格）
    .CommandTimeout = provider.api_key_cmd：{ $command_timeout } 秒内没有得到密钥

app-ProviderError =
    .Nothing = 没有可用的模型：请设置 ANTHROPIC_API_KEY、OPENAI_API_KEY 或 GEMINI_API_KEY，或启动 Ollama（`ollama serve`），再运行 `fwai provider status`
    .Untrusted = { $place }：项目不能设置 `{ $key }`，否则它可以读取或转走您的密钥；若您信任它：fwai config set --user { $key } VALUE
    .NoCassette = 提供方 replay：请把 `provider.replay` 设为要播放的录音
    .Cassette = 读不到录音 { $path }：{ $source }
    .Rules = security.patterns：{ $it }

app-ScanError =
    .Path = { $path }：{ $source }；请指定存在的文件或目录
    .Git = git { $command } 在 { $directory } 失败：{ $reason }；请在 git 仓库里运行

app-AssemblyError =
    .Rules = 策略：{ $it }
    .Host = { $it }
    .Denied = 会话没有开始：{ $it }

app-SessionError =
    .NoneYet = 这里还没有会话；用 `fwai` 或 `fwai exec` 开始
    .Unknown = 没有会话 `{ $wanted }`；`fwai sessions list` 列出全部
    .Ambiguous = `{ $wanted }` 匹配多个会话：{ $fitting }；请写得更完整
    .BadName = `{ $wanted }` 不是会话的名称
    .InUse = 会话 { $id } 正被另一个 fwai 使用；请先在那边退出，或在副本上继续：fwai sessions fork { $id }
    .Io = { $path }：{ $error }

app-WorkspaceError =
    .NotADirectory =
        { $path }：应为 fwai 目录的位置是一个文件
          下一步：把它移走，再运行一次 `fwai init`
    .Problems =
        { $it }
          下一步：修正文件，再运行一次 `fwai init`
    .Write =
        无法写入 { $path }：{ $source }；没有任何更改
          下一步：{ $next_step }
    .Exists =
        { $path } 已存在且内容不同；模板不会覆盖
          下一步：选一个空目录，例如 `fwai init --template bare-metal my-firmware`

## fwai-evidence

evidence-GitAnchorError =
    .Start = 无法运行 git：{ $it }
    .Failed = git { $what } 失败：{ $stderr }
    .NoCommit = 仓库还没有可以附加注记的 commit；请先 commit

evidence-WitnessError =
    .Spelling = evidence.witness_url：请写成 URL#NAME+HASH+KEY，其中是见证者公布的验证密钥
    .Key = evidence.witness_url：见证者的密钥：{ $it }
    .KeyHash = evidence.witness_url：哈希与名称、密钥不符；请重新复制验证密钥
    .Unsigned = 见证者的回应不是它的密钥对该检查点的签名
    .Note = 检查点：{ $it }

evidence-BundleError =
    .Version = 证明包：不认识版本 { $it }；较新的 fwai 可能认识
    .RotationOutside = 密钥更换：其中一次不在日志里
    .Envelope = 证明：{ $it }
    .Statement = 证明：{ $it }
    .Untrusted = 证明：没有受信任的密钥签署它
    .OtherRun = 证明：它说的是另一次运行
    .Checkpoint = 检查点：{ $it }
    .UntrustedCheckpoint = 检查点：没有仍在使用的受信任密钥签署它
    .OtherSize = 检查点：它的大小与证明不同
    .Inclusion = 包含证明：{ $it }
    .Hash = 包含证明：有一个哈希不是 32 字节的 base64

evidence-EnvelopeError =
    .Shape = 不是 DSSE 信封：{ $it }
    .Payload = 内容不是 base64
    .Unsigned = 信封没有签名

evidence-ExportError =
    .Read = { $path }：{ $source }；`fwai evidence list` 列出现有的运行记录
    .Record = { $path }：不是运行记录：{ $source }；`fwai audit verify` 有更多说明

evidence-KeyError =
    .Io = { $path }：{ $source }；签名密钥必须可读，其目录必须可写
    .NotAKey = { $path } 不是 PKCS #8 Ed25519 密钥；请从备份恢复，或移走它以改用新的密钥
    .Exposed = 其他人可以读取 { $path }（权限 { $mode }）；请对它运行 `chmod 600`；若可能已被读过，再运行 `fwai audit key rotate`
    .NoRandomness = 系统没有提供生成新密钥的随机数

evidence-LogError =
    .Io = 日志 { $path }：{ $source }；请腾出空间或修正权限，下一次写入会补好其余部分
    .Checkpoint = { $path }：{ $error }；请从备份或锚点恢复（`fwai audit verify` 有更多说明）
    .NoCheckpoint = { $path } 有 tile 却没有检查点，有人把它删除了；请从备份或锚点恢复 `checkpoint`
    .Damaged = { $path } 的日志算不出检查点所载的根；`fwai audit verify --all` 会指出哪里被改过
    .EntryTooLong = { $length } 字节的条目放不进日志（最多 { $longest_entry }）
    .NoRandomness = 系统没有提供为日志命名的随机数

evidence-ProofError =
    .OutsideTree = 叶节点在树之外
    .WrongLength = 证明的哈希数目不对
    .OtherRoot = 证明得到的是另一个根

evidence-NoteError =
    .NoSignatures = 不是已签名的注记：签名之前没有空行
    .SignatureLine = 不是已签名的注记：有一行签名格式不对
    .Body = 不是检查点：应有来源、大小与根，各占一行

evidence-ProveError =
    .NoSuchRun = 这里没有运行记录 { $run_id }；`fwai evidence list` 列出全部
    .NotLogged = 运行记录 { $run_id } 在日志里还没有声明；下一次运行会补上，或者它从未签名
    .DoesNotHold = 运行记录 { $run_id } 的证明不成立（{ $reason }）；`fwai audit verify { $run_id }` 会说明原因
    .Io = { $path }：{ $source }
    .Exists = { $path } 已存在；请用 --output 指定别的位置
    .NameTooLong = 运行记录里有文件名太长，放不进 .tar；请改为输出目录

evidence-PublicKeyError =
    .Spelling = 不是公钥：应为 32 字节的 base64 或十六进制，或 PEM 块 `PUBLIC KEY`
    .NotAPoint = 不是曲线上的点，因此不可能有属于它的签名
    .Weak = 低阶的弱密钥：它会接受没有人签过的签名

evidence-RunError =
    .Write = 无法写入 { $path }：{ $source }；证据必须确实保存，请腾出空间或修正权限后再运行一次
    .NoUniqueId = 无法在 { $directory } 下为 { $label } 创建不重复的运行目录
    .Changes = 无法用 git 计算更改：{ $it }；安装 git 了吗？

evidence-SbomError =
    .Read = { $path }：{ $source }；请先编译，或指定 ELF 文件
    .Image = { $path }：不是可读取的镜像：{ $reason }；请指定链接器生成的 ELF 文件

evidence-StatementError =
    .PayloadType = 内容的类型是 { $it }，不是 in-toto 声明
    .Shape = 内容不是 in-toto 声明：{ $it }
    .Type = 声明的类型是 { $it }，不是 { $statement_type }
    .RotationUnsigned = 密钥更换没有由新旧两把密钥共同签署

## fwai-firmware

firmware-BoardError =
    .Unsupported = 开发板 { $board } 无法 { $what }：{ $hint }
    .File = { $what } { $path }：{ $source }
    .NoImage = 开发板 { $board } 上还没有固件；请先编译并运行 `fwai flash`
    .Off = 开发板 { $board } 已关闭；`fwai board power on` 打开它，`fwai flash` 烧录新固件
    .NotStarted = { $program } 无法启动开发板 { $board }：{ $output }
    .Silent = 开发板 { $board } 没有响应：{ $what }；用 `fwai board power off` 和 `on` 重新启动
    .Busy = 开发板 { $board } 正被另一个 fwai 使用（{ $what }）；请等它结束，或结束那个命令
    .Flash = 烧录开发板 { $board } 失败：{ $what }
    .Console = 开发板 { $board } 的控制台失败：{ $what }
    .BadName = 开发板名称 `{ $name }` 只能有字母、数字、`.`、`_` 和 `-`
    .Incomplete = 开发板 { $board } 的 kind 是 { $kind }，却没有 `{ $section }` 部分；请在它的 YAML 文件中加上

firmware-CatalogueError =
    .Unknown = 没有名为 `{ $name }` 的开发板{ $suggestion }；已知的开发板：{ $known }；可在 .fwai/boards/{ $name }.yaml 描述自己的，或在 project.yaml 中设置 flash.command、debug.openocd 或 serial.port
    .NoneChosen = 还没有选择开发板；用 `fwai board use NAME` 选一个：{ $known }

firmware-ImageError =
    .Read = 无法读取镜像 { $path }：{ $source }；请先编译，或指定镜像
    .Elf = { $path } 不是可用的 ELF 文件：{ $what }；请重新编译
    .Hex = { $path } 不是可用的 Intel HEX 文件：{ $what }
    .Empty = { $path } 里没有可以烧录的内容
    .NoBase = { $path } 是纯二进制文件，而开发板的内存布局没有说明闪存从哪里开始；请改用 ELF
    .WrongCore = { $path } 是给 { $image } 的镜像，但开发板 { $board } 是 { $arch }；请为这颗芯片编译，或用 `fwai board use` 换一块开发板
    .DoesNotFit = { $path } 放不进开发板 { $board }：{ $what }；请检查链接脚本，或换一块开发板

firmware-TclError =
    .Connect = 连不上 OpenOCD 的 Tcl 端口 { $address }：{ $what }
    .Refused = OpenOCD 拒绝 `{ $command }`：{ $what }
    .Timeout = OpenOCD 在 { $seconds } 秒内没有响应 `{ $command }`；调试器还连着吗？
    .Broken = 执行 `{ $command }` 时与 OpenOCD 的连接中断：{ $what }

firmware-PortError =
    .List = 无法列出串口：{ $it }
    .NotFound = 没有串口匹配 `{ $wanted }`；已连接：{ $connected }
    .None = 没有连接串口；请接上开发板，或在 .fwai/project.yaml 设置 `serial.port`
    .Several = 连接了多个串口（{ $connected }）；请把 `serial.port` 设为其中之一、`usb:VID:PID` 或 `serial:NUMBER`
    .Malformed = `{ $it }` 不是串口：请用路径、`usb:VID:PID`、`usb:VID:PID:SERIAL` 或 `serial:NUMBER`
    .Open = 无法打开 { $port }：{ $what }{ $hint }

firmware-GdbError =
    .NotInstalled = 没有安装 GDB（试过 { $programs }）；请安装 gdb-multiarch，或在 .fwai/project.yaml 中设置 `debug.gdb`
    .Hung = GDB 在 { $limit } 内没有响应 `{ $command }`；已结束，下一个命令会重新启动
    .Died = GDB 在 `{ $command }` 时退出了{ $said }；下一个命令会重新启动它
    .Refused = { $message }

firmware-DebugError =
    .Symbols = GDB 无法读取 { $elf }：{ $what }
    .Connect = GDB 无法连接位于 { $address } 的开发板 { $board }：{ $what }
    .OtherElf = { $elf } 不是开发板 { $board } 上运行的固件：{ $what }；用 `fwai flash` 烧录它，或改用已烧录的 ELF 调试

firmware-DefmtError =
    .NoVersion = ELF 里有 defmt 字符串，却没有标示版本的符号；被 strip 过了吗？请给链接器原本生成的 ELF
    .Mixed = ELF 混用了两种 defmt 的 { $what }（{ $first } 和 { $second }）；请让所有 crate 使用同一版 defmt
    .Version = 固件的日志使用 defmt 格式版本 { $it }；这里支持版本 3 和 4
    .Encoding = 固件的日志编码是 { $it }；这里支持 `rzcobs` 和 `raw`
    .NoEncoding = ELF 没有说明日志的编码方式；被 strip 过了吗？请给链接器原本生成的 ELF
    .NoStrings = ELF 段的 { $it } 个符号里没有可读的 defmt 字符串；请以 `-Tdefmt.x` 链接

firmware-DetectError =
    .Root = { $path }：无法读取该目录：{ $source }；请指定固件项目所在的目录
    .NotADirectory = { $path }：不是目录；请指定固件项目所在的目录
    .Unreadable = { $path }：无法读取该文件：{ $source }；请让它可读（`chmod u+r { $path }`）或移走它，再运行一次 `fwai init`
    .DirectoryForFile = { $path }：应为文件的位置是一个目录；请移走它，再运行一次 `fwai init`

firmware-ElfError =
    .Read = 无法读取 { $path }：{ $source }
    .NotElf = { $path } 不是 ELF 文件{ $what }；请给链接器生成的文件（通常是 *.elf、*.axf 或 *.out）
    .TooLarge = { $path } 有 { $size } 字节；超过 { $limit } 就不当作镜像读取

firmware-GuardRefusal =
    .NoBuild = 没有编译记录，无从得知 { $image } 从何而来；请先运行 `fwai build`
    .BuildFailed = 最新的编译（{ $run }）失败；请先修复并运行 `fwai build` 再烧录
    .NotThatBuild = { $image } 不是最新编译（{ $run }）的产物：{ $detail }；请重新运行 `fwai build`，或指定它的产物
    .Budget = 超出更改额度：{ $it }；请缩小更改，或请人调高策略额度

firmware-FlashError =
    .Pattern = `boot.success_patterns` 里的 `{ $pattern }` 不是正则表达式：{ $what }

firmware-LaunchError =
    .Spawn = 无法在 { $cwd } 启动 `{ $command }`：{ $source }
    .NotFound = `{ $program }` 没有安装，或不在 PATH 中；运行 `fwai doctor` 查看如何获取
    .NoDirectory = 工作目录 { $cwd } 不存在
    .Empty = 命令是空的；请在 .fwai/project.yaml 中设置
    .Refused = { $it }

firmware-BudgetError = 预算 `{ $name }：{ $limit }` 既不是百分比（`90%`），也不是字节数（`64K`、`0x8000`、`1200`）

firmware-PatternError = `{ $pattern }` 不是正则表达式：{ $what }；特殊字符前请加 `\`

firmware-SvdError =
    .Read = 无法读取 { $path }：{ $source }
    .Xml = { $path } 不是格式正确的 XML：{ $what }
    .NoDevice = { $path } 没有 <device>；它是 CMSIS-SVD 文件吗？
    .NoRegister = 没有寄存器 `{ $name }`{ $nearest }

firmware-NameError = `{ $name }` 不能作项目名称：{ $why }；请用字母、数字、`_` 和 `-`，以字母开头，例如 `{ $suggestion }`

## fwai-llm

llm-LlmError =
    .NoKey = { $provider }：没有 API 密钥；请设置 { $variable }，或在 config.yaml 中设置 `provider.api_key_file` 或 `provider.api_key_cmd`
    .Auth = { $provider }：密钥被拒绝（{ $status }）：{ $message }
    .Connect = { $provider }：连不上 { $url }：{ $message }
    .Timeout = { $provider }：{ $seconds } 秒没有响应（{ $phase }）
    .RateLimited = { $provider }：请求太多（429）：{ $message }
    .Overloaded = { $provider }：服务器过载（{ $status }）：{ $message }
    .Server = { $provider }：服务器出错（{ $status }）：{ $message }
    .NotFound = { $provider }：{ $message }（404）；`fwai provider models` 列出服务器提供的模型
    .BadRequest = { $provider }：请求被拒（{ $status }）：{ $message }
    .ContextTooLong = { $provider }：对话对 { $model } 来说太长：{ $message }
    .Cut = { $provider }：回答在 { $received } 字节后中断：{ $message }
    .Protocol = { $provider }：回答无法解读：{ $message }
    .TooLarge = { $provider }：回答超过 { $limit } 字节
    .Replay = 回放：{ $message }
    .GaveUp = { $last }；fwai 试了 { $tries } 次
    .Cancelled = 已中断

llm-TransportError =
    .Connect = { $it }
    .ConnectTimeout = { $seconds } 秒内无法连接
    .Broken = { $it }
    .Invalid = { $it }

## fwai-policy

policy-OverBudget =
    .Files = 这次会话将更改 { $would } 个文件；policy.max_files_changed 只允许 { $limit } 个。请撤销一些更改，或请用户调高上限
    .Lines = 这次会话将更改 { $would } 行；policy.max_lines_changed 只允许 { $limit } 行。请撤销一些更改，或请用户调高上限

policy-FlashRefusal =
    .NotBuilt = 烧录保护要求先成功编译这个镜像；请运行 `fwai build`
    .NotConfirmed = 烧录保护要求有人确认；请回答问题，或加上 --yes

policy-HostRefusal =
    .NoHost = `{ $it }` 不是含有主机的地址
    .Blocked = { $it } 列在 policy.network.blocked_hosts 中
    .NotAllowed = { $it } 不在 policy.network.allowed_hosts 中
    .Private = { $it } 是私有或本机地址；要连接请设置 policy.network.allow_private

policy-PathRefusal =
    .Empty = 路径是空的；请指定项目中的文件
    .Nul = 路径含有 NUL 字节
    .TooLong = 路径超过 { $max_path } 字节
    .NameTooLong = 路径中有名称超过 255 字节
    .Outside = { $it } 在项目之外；只允许项目下的路径

policy-GlobProblem = `{ $place }` 中的通配模式 `{ $pattern }` 不对：{ $why }；语法见 `fwai help policy`

policy-RuleProblem =
    .Glob = policy.rules[{ $index }]：`{ $field }` 的通配模式 `{ $pattern }` 不对：{ $why }
    .Empty = policy.rules[{ $index }] 没有写 tool、command 或 path，会应用到所有事情；请至少写一项
    .Command = policy.rules[{ $index }]：`command: { $command }` 不是单纯的词；请写命令开头的几个词，例如 `git push`
    .ShouldMatch = policy.rules[{ $index }]：示例 `{ $example }` 应该匹配却不匹配；请修正规则或示例
    .ShouldNotMatch = policy.rules[{ $index }]：示例 `{ $example }` 不该匹配却匹配；请修正规则或示例

policy-RulesError =
    .Pattern = security.patterns[{ $index }]：`{ $pattern }` 不是正则表达式：{ $reason }；请在 config.yaml 中修正
    .Allow = security.allow[{ $index }]：`{ $pattern }` 不是正则表达式：{ $reason }；请在 config.yaml 中修正
    .Empty = security.patterns[{ $index }]：`{ $pattern }` 连空文本也匹配，会遮蔽所有内容；请写得更精确

## fwai-schema

schema-EditError =
    .NotAScalar = `{ $path }` 是 { $found }；请设置它下面的键
    .NotAMapping = `{ $key }` 不能设在 `{ $path }` 之下，因为那里是 { $found }
    .Unsafe = 无法安全地修改这个文件的 `{ $path }`；请手动修改
    .BadPath = `{ $it }` 不是键

## fwai-tools

tools-PathError =
    .Outside = { $path } 在项目之外；只能修改 { $root } 下的文件
    .Symlink = { $path } 是符号链接；请修改它指向的文件
    .HardLink = { $path } 有多个硬链接，修改会影响全部
    .NotAFile = { $path } 不是普通文件
    .Io = { $path }：{ $source }
    .Empty = 路径不能为空，也不能含有 NUL 字节

tools-SandboxError =
    .NoWalls = 拒绝运行：这台机器没有沙箱；缺少：{ $missing }。要在没有沙箱的情况下运行，请设置 `sandbox.walls: off`，每次运行都会记录这一点
    .Wall = 拒绝运行：沙箱的一道防护无法建立（{ $stage }：{ $source }）；`fwai doctor` 会说明系统缺什么
    .Project = 无法打开项目 { $path }：{ $source }
    .TooWide = 拒绝：项目是 { $path }，也就是整个系统；请打开它下面的目录
    .NoPorts = 拒绝：只有 Landlock 支持端口（Linux 6.7 及以上）时，才能开放本机的个别端口；请改为允许网络，或更新内核
    .Device = 无法开放设备 { $path }：{ $source }
    .Spec = 沙箱的设置不对：{ $it }
    .TooManyMounts = 拒绝：受保护的路径需要 { $count } 个挂载点；请改为指定目录，而不是单个文件
    .NotFound = 找不到 `{ $program }`；它装了吗？在沙箱内的 PATH 中吗？
    .Exec = 无法执行 `{ $program }`：{ $source }
    .NoDirectory = 工作目录 { $path } 不存在，或位于沙箱里没有的地方
    .Streams = 无法建立命令的输入输出：{ $it }

tools-SnapshotError =
    .NoGit = 没有安装 git，因此什么都无法撤销；请运行 `fwai doctor`
    .Git = git { $command }：{ $message }
    .Io = { $path }：{ $source }
    .Unknown = 快照 { $it } 不存在
    .Partly = 有些内容无法恢复：{ $it }

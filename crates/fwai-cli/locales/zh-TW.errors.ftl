# 錯誤說的話，繁體中文（臺灣）。英文在各型別的 `#[error("…")]`；鍵是 crate 與型別，屬性是變體，變數是欄位。

system =
    .NotFound = 沒有這個檔案或目錄
    .PermissionDenied = 權限不足
    .ConnectionRefused = 連線被拒
    .ConnectionReset = 連線被對方中斷
    .ConnectionAborted = 連線中止
    .NetworkUnreachable = 網路無法連線
    .HostUnreachable = 無法連到主機
    .AddrInUse = 位址已被使用
    .AddrNotAvailable = 位址無法使用
    .BrokenPipe = 管線的另一端已關閉
    .AlreadyExists = 已經存在
    .NotADirectory = 不是目錄
    .IsADirectory = 是目錄
    .DirectoryNotEmpty = 目錄不是空的
    .ReadOnlyFilesystem = 檔案系統唯讀
    .InvalidInput = 參數無效
    .TimedOut = 逾時
    .StorageFull = 磁碟空間不足
    .QuotaExceeded = 超出磁碟配額
    .FileTooLarge = 檔案太大
    .ResourceBusy = 裝置或資源忙碌中
    .ExecutableFileBusy = 程式檔正在執行中
    .CrossesDevices = 跨越了檔案系統
    .TooManyLinks = 連結太多
    .InvalidFilename = 檔名無效或太長
    .ArgumentListTooLong = 參數太長
    .Interrupted = 被中斷
    .WouldBlock = 資源暫時無法使用
    .OutOfMemory = 記憶體不足

## fwai-agent

agent-ForkError =
    .Empty = 對話 { $session } 沒有可供分支的事件
    .NoSuchTurn = 對話 { $session } 有 { $turns } 輪；沒有第 { $turn } 輪

agent-HostError = { $what }

agent-SkillFileError =
    .NoHead = { $file }：沒有檔頭；請以 `---`、`name:`、`description:` 與 `---` 開頭
    .OpenHead = { $file }：檔頭沒有結束；請加一行 `---`
    .Yaml = { $file }：{ $message }
    .Missing = { $file }：檔頭缺少 `{ $key }`

## fwai-app

app-AnswerSchemaError =
    .Read = 無法讀取 { $path }：{ $error }
    .NotJson = { $path } 不是 JSON：{ $error }
    .NoSchema = { $path } 不是 JSON Schema：{ $why }

app-NoElf =
    .NoBuild = 還沒有編譯紀錄，也沒有設定 `build.elf`；請先執行 `fwai build`，或指定 ELF
    .NotMade = 最新的編譯（{ $run }）沒有產出 ELF；請在 .fwai/project.yaml 設定 `build.elf`，或指定 ELF
    .Gone = { $path } 不存在；請執行 `fwai build`

app-BuildRunError =
    .NoCommand = 這個專案沒有設定編譯指令

app-ConfigError =
    .Problems = { $join }
    .Write = 無法寫入 { $path }：{ $source }

app-FileError =
    .Unreadable =
        無法讀取 { $path }：{ $source }
          下一步：檢查它的權限（`ls -l { $path }`）
    .Directory =
        { $path } 是目錄，這裡需要的是檔案
          下一步：把它移開
    .TooLarge = { $path } 超過 { $max_file } 位元組，不可能是設定檔
    .NotText =
        { $path }:{ $line }：第 { $offset } 個位元組不是 UTF-8 文字
          下一步：把檔案存成 UTF-8

app-PolicyError =
    .Organisation =
        無法讀取組織政策 { $org }：{ $why }
          下一步：修正 `org_policy.source`，或詢問設定它的人

app-EvidenceSetupError =
    .TrustedKey = policy.trusted_keys：`{ $key }`：{ $error }

app-MemoryRunError =
    .NoElf = 不知道要用哪個映像檔：指定一個 ELF、在 .fwai/project.yaml 設定 build.elf，或執行 `fwai build`
    .UnknownAgainst = { $it } 既不是檔案，也不是這個專案的 git 版本
    .NoCommand = 無法編譯 { $it } 來比較：這個專案沒有設定編譯指令
    .RevisionFails = 版本 { $revision } 無法編譯{ $first }
    .Scratch = 無法準備版本 { $revision }：{ $source }

app-KeyError =
    .NoKey = provider.api_key_env：${ $variable } 裡沒有可用的金鑰
    .Unreadable = provider.api_key_file：讀不到 { $path }：{ $source }
    .Open = provider.api_key_file：別人可以讀取 { $path }；請執行 chmod 600 { $path }
    .NoKeyInFile = provider.api_key_file：{ $path } 裡沒有金鑰（應為一行、沒有空格）
    .NoCommand = provider.api_key_cmd：無法啟動指令：{ $it }
    .CommandFailed = provider.api_key_cmd：指令失敗（{ $it }）；它的訊息在上面
    .NoKeyPrinted = provider.api_key_cmd：指令沒有印出金鑰（應為一行、沒有空格）
    .CommandTimeout = provider.api_key_cmd：{ $command_timeout } 秒內沒有得到金鑰

app-ProviderError =
    .Nothing = 沒有可用的模型：請設定 ANTHROPIC_API_KEY、OPENAI_API_KEY 或 GEMINI_API_KEY，或啟動 Ollama（`ollama serve`），再執行 `fwai provider status`
    .Untrusted = { $place }：專案不能設定 `{ $key }`，否則它可以讀取或轉走您的金鑰；若您信任它：fwai config set --user { $key } VALUE
    .NoCassette = 供應者 replay：請把 `provider.replay` 設為要播放的錄音
    .Cassette = 讀不到錄音 { $path }：{ $source }
    .Rules = security.patterns：{ $it }

app-ScanError =
    .Path = { $path }：{ $source }；請指定存在的檔案或目錄
    .Git = git { $command } 在 { $directory } 失敗：{ $reason }；請在 git 儲存庫裡執行

app-AssemblyError =
    .Rules = 政策：{ $it }
    .Host = { $it }
    .Denied = 對話沒有開始：{ $it }

app-SessionError =
    .NoneYet = 這裡還沒有對話；用 `fwai` 或 `fwai exec` 開始
    .Unknown = 沒有對話 `{ $wanted }`；`fwai sessions list` 列出全部
    .Ambiguous = `{ $wanted }` 符合多個對話：{ $fitting }；請寫得更完整
    .BadName = `{ $wanted }` 不是對話的名稱
    .InUse = 對話 { $id } 正由另一個 fwai 使用；請先在那邊離開，或在副本上繼續：fwai sessions fork { $id }
    .Io = { $path }：{ $error }

app-WorkspaceError =
    .NotADirectory =
        { $path }：應該是 fwai 目錄的地方有一個檔案
          下一步：把它移開，再執行一次 `fwai init`
    .Problems =
        { $it }
          下一步：修正檔案，再執行一次 `fwai init`
    .Write =
        無法寫入 { $path }：{ $source }；沒有任何變更
          下一步：{ $next_step }
    .Exists =
        { $path } 已存在且內容不同；範本不會覆寫
          下一步：選一個空目錄，例如 `fwai init --template bare-metal my-firmware`

## fwai-evidence

evidence-GitAnchorError =
    .Start = 無法執行 git：{ $it }
    .Failed = git { $what } 失敗：{ $stderr }
    .NoCommit = 儲存庫還沒有可以附加註記的 commit；請先 commit

evidence-WitnessError =
    .Spelling = evidence.witness_url：請寫成 URL#NAME+HASH+KEY，其中是見證者公布的驗證金鑰
    .Key = evidence.witness_url：見證者的金鑰：{ $it }
    .KeyHash = evidence.witness_url：雜湊與名稱、金鑰不符；請重新複製驗證金鑰
    .Unsigned = 見證者的回應不是它的金鑰對這個檢查點的簽章
    .Note = 檢查點：{ $it }

evidence-BundleError =
    .Version = 證明包：不認得版本 { $it }；較新的 fwai 可能認得
    .RotationOutside = 金鑰更換：其中一次不在日誌裡
    .Envelope = 證明：{ $it }
    .Statement = 證明：{ $it }
    .Untrusted = 證明：沒有受信任的金鑰簽署它
    .OtherRun = 證明：它說的是另一次執行
    .Checkpoint = 檢查點：{ $it }
    .UntrustedCheckpoint = 檢查點：沒有仍在使用的受信任金鑰簽署它
    .OtherSize = 檢查點：它的大小與證明不同
    .Inclusion = 包含證明：{ $it }
    .Hash = 包含證明：有一個雜湊不是 32 位元組的 base64

evidence-EnvelopeError =
    .Shape = 不是 DSSE 信封：{ $it }
    .Payload = 內容不是 base64
    .Unsigned = 信封沒有簽章

evidence-ExportError =
    .Read = { $path }：{ $source }；`fwai evidence list` 列出現有的執行紀錄
    .Record = { $path }：不是執行紀錄：{ $source }；`fwai audit verify` 有更多說明

evidence-KeyError =
    .Io = { $path }：{ $source }；簽章金鑰必須可讀，它的目錄必須可寫
    .NotAKey = { $path } 不是 PKCS #8 Ed25519 金鑰；請從備份還原，或移開它以改用新的金鑰
    .Exposed = 別人可以讀取 { $path }（權限 { $mode }）；請對它執行 `chmod 600`；若可能已被讀過，再執行 `fwai audit key rotate`
    .NoRandomness = 系統沒有提供產生新金鑰的亂數

evidence-LogError =
    .Io = 日誌 { $path }：{ $source }；請清出空間或修正權限，下一次寫入會補好其餘部分
    .Checkpoint = { $path }：{ $error }；請從備份或錨點還原（`fwai audit verify` 有更多說明）
    .NoCheckpoint = { $path } 有 tile 卻沒有檢查點，有人把它移除了；請從備份或錨點還原 `checkpoint`
    .Damaged = { $path } 的日誌算不出檢查點所載的根；`fwai audit verify --all` 會指出哪裡被改過
    .EntryTooLong = { $length } 位元組的條目放不進日誌（最多 { $longest_entry }）
    .NoRandomness = 系統沒有提供替日誌命名的亂數

evidence-ProofError =
    .OutsideTree = 葉節點在樹之外
    .WrongLength = 證明的雜湊數目不對
    .OtherRoot = 證明得到的是另一個根

evidence-NoteError =
    .NoSignatures = 不是已簽章的註記：簽章之前沒有空行
    .SignatureLine = 不是已簽章的註記：有一行簽章格式不對
    .Body = 不是檢查點：應有來源、大小與根，各佔一行

evidence-ProveError =
    .NoSuchRun = 這裡沒有執行紀錄 { $run_id }；`fwai evidence list` 列出全部
    .NotLogged = 執行紀錄 { $run_id } 在日誌裡還沒有聲明；下一次執行會補上，或者它從未簽章
    .DoesNotHold = 執行紀錄 { $run_id } 的證明不成立（{ $reason }）；`fwai audit verify { $run_id }` 會說明原因
    .Io = { $path }：{ $source }
    .Exists = { $path } 已存在；請用 --output 指定別的位置
    .NameTooLong = 執行紀錄裡有檔名太長，放不進 .tar；請改為輸出目錄

evidence-PublicKeyError =
    .Spelling = 不是公開金鑰：應為 32 位元組的 base64 或十六進位，或 PEM 區塊 `PUBLIC KEY`
    .NotAPoint = 不是曲線上的點，因此不可能有屬於它的簽章
    .Weak = 低階的弱金鑰：它會接受沒有人簽過的簽章

evidence-RunError =
    .Write = 無法寫入 { $path }：{ $source }；證據必須確實存下，請清出空間或修正權限後再執行一次
    .NoUniqueId = 無法在 { $directory } 底下為 { $label } 建立不重複的執行目錄
    .Changes = 無法用 git 計算變更：{ $it }；安裝 git 了嗎？

evidence-SbomError =
    .Read = { $path }：{ $source }；請先編譯，或指定 ELF 檔
    .Image = { $path }：不是讀得懂的映像檔：{ $reason }；請指定連結器產生的 ELF 檔

evidence-StatementError =
    .PayloadType = 內容的類型是 { $it }，不是 in-toto 聲明
    .Shape = 內容不是 in-toto 聲明：{ $it }
    .Type = 聲明的類型是 { $it }，不是 { $statement_type }
    .RotationUnsigned = 金鑰更換沒有由新舊兩把金鑰共同簽署

## fwai-firmware

firmware-BoardError =
    .Unsupported = 開發板 { $board } 無法 { $what }：{ $hint }
    .File = { $what } { $path }：{ $source }
    .NoImage = 開發板 { $board } 上還沒有韌體；請先編譯並執行 `fwai flash`
    .Off = 開發板 { $board } 是關閉的；`fwai board power on` 開啟它，`fwai flash` 燒錄新韌體
    .NotStarted = { $program } 無法啟動開發板 { $board }：{ $output }
    .Silent = 開發板 { $board } 沒有回應：{ $what }；用 `fwai board power off` 與 `on` 重新啟動
    .Busy = 開發板 { $board } 正由另一個 fwai 使用（{ $what }）；請等它結束，或結束那個指令
    .Flash = 燒錄開發板 { $board } 失敗：{ $what }
    .Console = 開發板 { $board } 的主控台失敗：{ $what }
    .BadName = 開發板名稱 `{ $name }` 只能有字母、數字、`.`、`_` 與 `-`
    .Incomplete = 開發板 { $board } 的 kind 是 { $kind }，卻沒有 `{ $section }` 區段；請在它的 YAML 檔加上

firmware-CatalogueError =
    .Unknown = 沒有名為 `{ $name }` 的開發板{ $suggestion }；已知的開發板：{ $known }；可在 .fwai/boards/{ $name }.yaml 描述自己的，或在 project.yaml 設定 flash.command、debug.openocd 或 serial.port
    .NoneChosen = 還沒有選擇開發板；用 `fwai board use NAME` 選一個：{ $known }

firmware-ImageError =
    .Read = 無法讀取映像檔 { $path }：{ $source }；請先編譯，或指定映像檔
    .Elf = { $path } 不是可用的 ELF 檔：{ $what }；請重新編譯
    .Hex = { $path } 不是可用的 Intel HEX 檔：{ $what }
    .Empty = { $path } 裡沒有可以燒錄的內容
    .NoBase = { $path } 是純二進位檔，而開發板的記憶體配置沒有說明快閃記憶體從哪裡開始；請改用 ELF
    .WrongCore = { $path } 是給 { $image } 的映像檔，但開發板 { $board } 是 { $arch }；請為這顆晶片編譯，或用 `fwai board use` 換一塊開發板
    .DoesNotFit = { $path } 放不進開發板 { $board }：{ $what }；請檢查連結腳本，或換一塊開發板

firmware-TclError =
    .Connect = 連不上 OpenOCD 的 Tcl 埠 { $address }：{ $what }
    .Refused = OpenOCD 拒絕 `{ $command }`：{ $what }
    .Timeout = OpenOCD 在 { $seconds } 秒內沒有回應 `{ $command }`；除錯器還接著嗎？
    .Broken = 執行 `{ $command }` 時與 OpenOCD 的連線中斷：{ $what }

firmware-PortError =
    .List = 無法列出序列埠：{ $it }
    .NotFound = 沒有序列埠符合 `{ $wanted }`；已接上：{ $connected }
    .None = 沒有接上序列埠；請接上開發板，或在 .fwai/project.yaml 設定 `serial.port`
    .Several = 接了多個序列埠（{ $connected }）；請把 `serial.port` 設為其中之一、`usb:VID:PID` 或 `serial:NUMBER`
    .Malformed = `{ $it }` 不是序列埠：請用路徑、`usb:VID:PID`、`usb:VID:PID:SERIAL` 或 `serial:NUMBER`
    .Open = 無法開啟 { $port }：{ $what }{ $hint }

firmware-GdbError =
    .NotInstalled = 沒有安裝 GDB（試過 { $programs }）；請安裝 gdb-multiarch，或在 .fwai/project.yaml 設定 `debug.gdb`
    .Hung = GDB 在 { $limit } 內沒有回應 `{ $command }`；已結束，下一個指令會重新啟動
    .Died = GDB 在 `{ $command }` 時結束了{ $said }；下一個指令會重新啟動
    .Refused = { $message }

firmware-DebugError =
    .Symbols = GDB 讀不到 { $elf }：{ $what }
    .Connect = GDB 無法連上位於 { $address } 的開發板 { $board }：{ $what }
    .OtherElf = { $elf } 不是開發板 { $board } 上執行的韌體：{ $what }；用 `fwai flash` 燒錄它，或改用已燒錄的 ELF 除錯

firmware-DefmtError =
    .NoVersion = ELF 裡有 defmt 字串，卻沒有標示版本的符號；被 strip 過了嗎？請給連結器原本產生的 ELF
    .Mixed = ELF 混用了兩種 defmt 的 { $what }（{ $first } 與 { $second }）；請讓所有 crate 使用同一版 defmt
    .Version = 韌體的記錄使用 defmt 格式版本 { $it }；這裡支援版本 3 與 4
    .Encoding = 韌體的記錄編碼是 { $it }；這裡支援 `rzcobs` 與 `raw`
    .NoEncoding = ELF 沒有說明記錄的編碼方式；被 strip 過了嗎？請給連結器原本產生的 ELF
    .NoStrings = ELF 區段的 { $it } 個符號裡沒有可讀的 defmt 字串；請以 `-Tdefmt.x` 連結

firmware-DetectError =
    .Root = { $path }：無法讀取這個目錄：{ $source }；請指定韌體專案所在的目錄
    .NotADirectory = { $path }：不是目錄；請指定韌體專案所在的目錄
    .Unreadable = { $path }：無法讀取這個檔案：{ $source }；請讓它可讀（`chmod u+r { $path }`）或移開它，再執行一次 `fwai init`
    .DirectoryForFile = { $path }：應該是檔案的地方有一個目錄；請移開它，再執行一次 `fwai init`

firmware-ElfError =
    .Read = 無法讀取 { $path }：{ $source }
    .NotElf = { $path } 不是 ELF 檔{ $what }；請給連結器產生的檔案（通常是 *.elf、*.axf 或 *.out）
    .TooLarge = { $path } 有 { $size } 位元組；超過 { $limit } 就不當作映像檔讀取

firmware-GuardRefusal =
    .NoBuild = 沒有編譯紀錄，無從得知 { $image } 從何而來；請先執行 `fwai build`
    .BuildFailed = 最新的編譯（{ $run }）失敗；請先修好並執行 `fwai build` 再燒錄
    .NotThatBuild = { $image } 不是最新編譯（{ $run }）的產出：{ $detail }；請重新執行 `fwai build`，或指定它的產出
    .Budget = 超出變更額度：{ $it }；請縮小變更，或請人調高政策額度

firmware-FlashError =
    .Pattern = `boot.success_patterns` 裡的 `{ $pattern }` 不是正規表示式：{ $what }

firmware-LaunchError =
    .Spawn = 無法在 { $cwd } 啟動 `{ $command }`：{ $source }
    .NotFound = `{ $program }` 沒有安裝，或不在 PATH 上；執行 `fwai doctor` 看如何取得
    .NoDirectory = 工作目錄 { $cwd } 不存在
    .Empty = 指令是空的；請在 .fwai/project.yaml 設定
    .Refused = { $it }

firmware-BudgetError = 預算 `{ $name }：{ $limit }` 既不是百分比（`90%`），也不是位元組數（`64K`、`0x8000`、`1200`）

firmware-PatternError = `{ $pattern }` 不是正規表示式：{ $what }；特殊字元前請加 `\`

firmware-SvdError =
    .Read = 無法讀取 { $path }：{ $source }
    .Xml = { $path } 不是格式正確的 XML：{ $what }
    .NoDevice = { $path } 沒有 <device>；它是 CMSIS-SVD 檔嗎？
    .NoRegister = 沒有暫存器 `{ $name }`{ $nearest }

firmware-NameError = `{ $name }` 不能當專案名稱：{ $why }；請用字母、數字、`_` 與 `-`，以字母開頭，例如 `{ $suggestion }`

## fwai-llm

llm-LlmError =
    .NoKey = { $provider }：沒有 API 金鑰；請設定 { $variable }，或在 config.yaml 設定 `provider.api_key_file` 或 `provider.api_key_cmd`
    .Auth = { $provider }：金鑰被拒（{ $status }）：{ $message }
    .Connect = { $provider }：連不上 { $url }：{ $message }
    .Timeout = { $provider }：{ $seconds } 秒沒有回應（{ $phase }）
    .RateLimited = { $provider }：請求太多（429）：{ $message }
    .Overloaded = { $provider }：伺服器過載（{ $status }）：{ $message }
    .Server = { $provider }：伺服器出錯（{ $status }）：{ $message }
    .NotFound = { $provider }：{ $message }（404）；`fwai provider models` 列出伺服器提供的模型
    .BadRequest = { $provider }：請求被拒（{ $status }）：{ $message }
    .ContextTooLong = { $provider }：對話對 { $model } 來說太長：{ $message }
    .Cut = { $provider }：回答在 { $received } 位元組後中斷：{ $message }
    .Protocol = { $provider }：回答無法解讀：{ $message }
    .TooLarge = { $provider }：回答超過 { $limit } 位元組
    .Replay = 重播：{ $message }
    .GaveUp = { $last }；fwai 試了 { $tries } 次
    .Cancelled = 已中斷

llm-TransportError =
    .Connect = { $it }
    .ConnectTimeout = { $seconds } 秒內無法連線
    .Broken = { $it }
    .Invalid = { $it }

## fwai-policy

policy-OverBudget =
    .Files = 這次對話將變更 { $would } 個檔案；policy.max_files_changed 只允許 { $limit } 個。請復原一些變更，或請使用者調高上限
    .Lines = 這次對話將變更 { $would } 行；policy.max_lines_changed 只允許 { $limit } 行。請復原一些變更，或請使用者調高上限

policy-FlashRefusal =
    .NotBuilt = 燒錄保護要求先成功編譯這個映像檔；請執行 `fwai build`
    .NotConfirmed = 燒錄保護要求有人確認；請回答問題，或加上 --yes

policy-HostRefusal =
    .NoHost = `{ $it }` 不是含有主機的位址
    .Blocked = { $it } 列在 policy.network.blocked_hosts 裡
    .NotAllowed = { $it } 不在 policy.network.allowed_hosts 裡
    .Private = { $it } 是私有或本機位址；要連線請設定 policy.network.allow_private

policy-PathRefusal =
    .Empty = 路徑是空的；請指定專案裡的檔案
    .Nul = 路徑含有 NUL 位元組
    .TooLong = 路徑超過 { $max_path } 位元組
    .NameTooLong = 路徑中有名稱超過 255 位元組
    .Outside = { $it } 在專案之外；只允許專案底下的路徑

policy-GlobProblem = `{ $place }` 裡的萬用字元樣式 `{ $pattern }` 不對：{ $why }；語法見 `fwai help policy`

policy-RuleProblem =
    .Glob = policy.rules[{ $index }]：`{ $field }` 的萬用字元樣式 `{ $pattern }` 不對：{ $why }
    .Empty = policy.rules[{ $index }] 沒有寫 tool、command 或 path，會套用到所有事情；請至少寫一項
    .Command = policy.rules[{ $index }]：`command: { $command }` 不是單純的字詞；請寫指令開頭的幾個字，例如 `git push`
    .ShouldMatch = policy.rules[{ $index }]：範例 `{ $example }` 應該符合卻不符合；請修正規則或範例
    .ShouldNotMatch = policy.rules[{ $index }]：範例 `{ $example }` 不該符合卻符合；請修正規則或範例

policy-RulesError =
    .Pattern = security.patterns[{ $index }]：`{ $pattern }` 不是正規表示式：{ $reason }；請在 config.yaml 修正
    .Allow = security.allow[{ $index }]：`{ $pattern }` 不是正規表示式：{ $reason }；請在 config.yaml 修正
    .Empty = security.patterns[{ $index }]：`{ $pattern }` 連空白文字也符合，會遮蔽所有內容；請寫得更精確

## fwai-schema

schema-EditError =
    .NotAScalar = `{ $path }` 是 { $found }；請設定它底下的鍵
    .NotAMapping = `{ $key }` 不能設在 `{ $path }` 之下，因為那裡是 { $found }
    .Unsafe = 無法安全地修改這個檔案的 `{ $path }`；請手動修改
    .BadPath = `{ $it }` 不是鍵

## fwai-tools

tools-PathError =
    .Outside = { $path } 在專案之外；只能修改 { $root } 底下的檔案
    .Symlink = { $path } 是符號連結；請改它指向的檔案
    .HardLink = { $path } 有多個硬連結，修改會影響全部
    .NotAFile = { $path } 不是一般檔案
    .Io = { $path }：{ $source }
    .Empty = 路徑不能是空的，也不能含有 NUL 位元組

tools-SandboxError =
    .NoWalls = 拒絕執行：這台機器沒有沙箱；缺少：{ $missing }。要在沒有沙箱的情況下執行，請設定 `sandbox.walls: off`，每次執行都會記錄這一點
    .Wall = 拒絕執行：沙箱的一道防護無法建立（{ $stage }：{ $source }）；`fwai doctor` 會說明系統缺什麼
    .Project = 無法開啟專案 { $path }：{ $source }
    .TooWide = 拒絕：專案是 { $path }，也就是整個系統；請開啟它底下的目錄
    .NoPorts = 拒絕：只有 Landlock 支援連接埠（Linux 6.7 以上）時，才能開放本機的個別連接埠；請改為允許網路，或更新核心
    .Device = 無法開放裝置 { $path }：{ $source }
    .Spec = 沙箱的設定不對：{ $it }
    .TooManyMounts = 拒絕：受保護的路徑需要 { $count } 個掛載點；請改為指定目錄，而不是個別檔案
    .NotFound = 找不到 `{ $program }`；它裝了嗎？在沙箱內的 PATH 上嗎？
    .Exec = 無法執行 `{ $program }`：{ $source }
    .NoDirectory = 工作目錄 { $path } 不存在，或位於沙箱裡沒有的地方
    .Streams = 無法建立指令的輸入輸出：{ $it }

tools-SnapshotError =
    .NoGit = 沒有安裝 git，因此什麼都無法復原；請執行 `fwai doctor`
    .Git = git { $command }：{ $message }
    .Io = { $path }：{ $source }
    .Unknown = 快照 { $it } 不存在
    .Partly = 有些內容無法還原：{ $it }

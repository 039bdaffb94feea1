# fwai 對人說的話，繁體中文（臺灣）。鍵與變數和 en.ftl 相同。
# 每則文字各自解析，不能互相引用。指令、設定鍵與檔名不翻譯。

## 到處都用

error = 錯誤：
warning = 警告：
next = 下一步：
yes = 有
no = 無
unknown = 不明
bytes = { $count } 位元組
files = { $count } 個檔案
turns = { $count ->
   *[other] 輪
}
and-more = { $list } 等，另有 { $count } 項
after-colon = ：{ $text }
wrote = 已寫入 { $path }
output-lost = 無法寫出結果：{ $error }
kept-as-run = 已存成執行紀錄 { $run }
untrusted-settings = 這個專案尚未受信任，因此 .fwai/config.yaml 的下列設定不會生效：{ $keys }
untrusted-settings-next = 先看過內容，再執行 `fwai trust`

status-success = 成功
status-failure = 失敗
status-running = 執行中
status-interrupted = 中斷
status-denied = 被拒
status-timeout = 逾時
status-skipped = 略過
status-finished = 完成
change-created = 新增
change-modified = 修改
change-deleted = 刪除

permission-wants = fwai 想要：{ $what }
permission-choices = 允許嗎？[y] 這次、[s] 本次對話、[a] 永遠、[n] 不允許：

## build

build-command = 編譯中：{ $command }
build-more = … 另有 { $count } 則，見 { $file }
build-new = （新增）
build-used-at = 用在 { $place }
build-used-in = 用在 { $place } 的 { $function }
build-up-to-date = 已是最新
build-done = 編譯完成
build-time-limit = 編譯逾時，已停止
build-cancelled = 編譯已取消
build-failed = 編譯失敗
build-new-warnings = （新增 { $count } 個）
build-summary = { $verdict }，{ $seconds } 秒：{ $errors } 個錯誤、{ $warnings } 個警告{ $fresh }；執行紀錄 { $run }

## flash

flash-confirm = 要燒錄這塊開發板嗎？
flash-proven = 已燒錄，並以 { $method } 驗證：{ $detail }
flash-disproved = 已燒錄，但驗證失敗（{ $method }）：{ $detail }
flash-unproven = 已燒錄，但無從驗證：{ $detail }

## monitor

monitor-leave = 按 Ctrl-] 離開
monitor-success = 開機：成功{ $matched }
monitor-failure = 開機：失敗{ $matched }
monitor-timeout = 開機：{ $seconds } 秒內看不出結果（收到 { $bytes } 位元組）
monitor-no-symbols = 位址無法對應到符號：{ $error }
monitor-defmt-unread = defmt 記錄以位元組顯示：{ $error }
monitor-log-incomplete = 主控台記錄不完整：{ $error }

## debug

debug-runs = { $board } 執行的是 { $elf }：{ $identity }
debug-step-failed = 失敗：{ $reason }

## board

board-kind = 種類
board-kind-virtual = 虛擬
board-chip = 晶片
board-state = 狀態
board-note = 附註
board-chosen = 這個專案改用開發板 { $board }
board-running = 執行中
board-halted = 已暫停
board-off = 關機
board-crashed = 已當機
board-unknown = 不明
board-absent = 未連接
board-now = { $board }：{ $state }（{ $what }）
board-powered-on = 開啟電源
board-powered-off = 關閉電源
board-was-reset = 重置

## memory

memory-total = 總計
memory-region = 區域
memory-section = 區段
memory-symbol = 符號
memory-file = 檔案
memory-function = 函式
memory-used = 已用
memory-size = 大小
memory-free = 剩餘
memory-address = 位址
memory-where = 位於
memory-stack = 堆疊
memory-kind = 種類
memory-change = 增減
memory-before = 之前
memory-after = 之後
memory-against = 相較於 { $name }
memory-padding = { $count } 位元組是填補
memory-more-files = … 另有 { $count } 個檔案
memory-more-symbols = … 另有 { $count } 個符號
memory-more-functions = … 另有 { $count } 個函式
memory-more-changes = … 另有 { $count } 項變化
memory-budget = 預算 { $name } { $limit }：{ $verdict }：{ $message }
memory-budget-ok = 符合
memory-budget-over = 超出

## doctor

doctor-ok = 正常
doctor-warning = 警告
doctor-problem = 問題
doctor-line = { $name }：{ $detail }
doctor-mend = 修復：

## init

init-questions = 專案檔案沒有寫明以下幾項；直接按 Enter 表示暫不設定。
init-agent = 檔案裡沒有寫明：{ $keys }。代理會到程式碼裡找，其餘的再問您。
init-ask-mcu = 微控制器型號（例如 STM32F401CCU6）？
init-ask-board = 哪一塊開發板？可自行命名，或從 `fwai board list` 挑一個
init-ask-build = 編譯韌體的指令是什麼？
init-ask-flash = 燒錄到開發板的指令是什麼？{ "{" }elf{ "}" } 與 { "{" }port{ "}" } 會自動代入
init-ask-port = 主控台接在哪個序列埠（例如 /dev/ttyACM0）？
init-nothing = 這裡看不出是韌體專案。
init-guessed = 推測：{ $why }
init-not-taken = 未採用：{ $place } 的 { $key } { $value }
init-kept = 保留      { $key }：{ $yours } 是您設的；檔案裡寫的是 { $found }
init-up-to-date = .fwai 的內容都是最新的。
init-wrote = 已寫入 { $files }，位於 { $directory }
init-needs = 編譯之前還需要 { $needs }
init-documents = 建議放進 docs/ 的文件，回答時才有依據可以引用：
init-next = 下一步：fwai build
init-next-there = 下一步：cd { $directory } && fwai build
init-next-command = 下一步：在 .fwai/project.yaml 設定 build.command，或用 fwai init --template bare-metal DIR 開新專案

## config

config-set = { $key } = { $value }，寫在 { $file }
config-checked = 檢查了 { $files } 個檔案：{ $errors } 個錯誤、{ $warnings } 個警告
config-absent = （不存在）

## policy、trust

policy-allow = 允許：{ $reason }
policy-ask = 先詢問：{ $reason }
policy-deny = 拒絕：{ $reason }
policy-because = 原因在於：{ $part }
policy-decided = 依據：{ $rule }（模式 { $mode }）
policy-no-rules = 還沒有規則；在對話中選「永遠」，或用 `fwai policy rules add` 新增
policy-fixed-rule = { $rule }（來自設定檔或政策檔）
policy-remembered = 已記住：{ $rule }
policy-forgotten = 已移除：{ $rule }
policy-always-protected = 一律受保護：.git，以及 .fwai 裡的政策、設定、金鑰、日誌、執行紀錄與對話
trust-nothing = 這個專案沒有需要信任的內容
trust-files = 下列檔案將會生效：
trust-confirm = 您看過這些檔案，並信任它們目前的內容嗎？
trust-yes = 已信任
trust-no = 未信任

## sandbox

sandbox-off = 設定裡寫著 `sandbox.walls: off`：這個指令不在沙箱內執行
sandbox-removed = 指令建立了受保護的 { $path }，已將它移除
sandbox-walls = 沙箱：可用
sandbox-no-walls = 沙箱：不可用，指令一律拒絕執行
sandbox-namespaces = 使用者命名空間：{ $there }
sandbox-process-limit = 以命名空間限制行程數：{ $there }
sandbox-bubblewrap = 已安裝（非必要）
sandbox-no-bubblewrap = 未安裝（非必要）
sandbox-missing = 缺少：{ $what }
sandbox-none-around = 沙箱：這個指令外面沒有
sandbox-writable = 可以寫入（另有私有的 /tmp），其餘唯讀：
sandbox-protected = 其中仍然唯讀：
sandbox-unreadable = 不能讀取：
sandbox-devices = 裝置：
sandbox-nothing = 無
sandbox-network-open = 網路：開放
sandbox-network-off = 網路：無
sandbox-bounds = 上限：記憶體 { $memory } MB、行程 { $processes } 個、輸出 { $output } MB、處理器時間 { $seconds } 秒

## undo、diff、sessions

undo-nothing = 沒有可以復原的變更
undo-step = 在 { $call } 之前
diff-nothing = 沒有任何變更
sessions-none = 還沒有對話；用 `fwai` 或 `fwai exec` 開始
sessions-go-on = 接著進行：{ $command }
sessions-removed = 已刪除 { $session }
transcript-session = 對話 { $session }  { $time }  { $provider } { $model }，模式 { $mode }
transcript-forked = ，自 { $session } 第 { $turn } 輪分支
transcript-turn = 第 { $turn } 輪
transcript-mode = 模式 { $from } → { $to }
transcript-plan = 計畫寫入 { $path }
transcript-shortened = 對話已縮短（{ $how }）：{ $before } → { $after } 個 token
transcript-permission = 請求允許：{ $what }（{ $reason }）
transcript-resolved = 答覆：{ $reply }
transcript-once = 這一次
transcript-in-session = 這次對話
transcript-always = 一律允許
transcript-deny = 拒絕
transcript-ended = { $why } · { $steps } 步 · { $calls } 次工具呼叫

## evidence

evidence-none = 還沒有執行紀錄；執行 `fwai build` 就有第一筆
evidence-no-difference = 沒有差異
evidence-no-opener = 這裡沒有 xdg-open，請自行開啟上面的路徑
evidence-run = 執行
evidence-skill = 技能
evidence-started = 開始
evidence-project = 專案
evidence-tool = 工具
evidence-exit = 結束碼 { $code }
evidence-board = 開發板
evidence-sbom = SBOM
evidence-components = { $count } 個元件
evidence-debugger = 除錯器
evidence-looks = 另有 { $count } 次只讀取的呼叫，未變更任何東西
evidence-changes = 變更
evidence-change = { $files } 個檔案，+{ $added } -{ $removed }，{ $budget }
evidence-in-budget = 在變更額度內
evidence-over-budget = 超出變更額度
evidence-artifact = 產出
evidence-flash = 燒錄
evidence-proven = { $image } 燒錄到 { $board }，以 { $method } 驗證通過
evidence-not-proven = { $image } 燒錄到 { $board }，{ $method } 未能驗證
evidence-boot = 開機
evidence-model = 模型
evidence-model-use = { $provider } { $model }：呼叫 { $calls } 次，輸入 { $input }、輸出 { $output }{ $cost }
evidence-goal = 目標
evidence-agent = 代理
evidence-agent-work = { $iterations } 輪內呼叫 { $calls } 次，{ $stop }
evidence-claim = 主張
evidence-waiver = 豁免
evidence-redacted = 遮蔽
evidence-signed-by = 簽章者
evidence-unsigned = 尚未簽章

## audit

audit-wrong = 有誤
audit-problem = { $file }：{ $what }
audit-cut-off = 注意：{ $run } 中途被切斷；下一次執行會補完它的紀錄
audit-pending = 注意：{ $run } 已完成，會隨下一次執行寫入日誌
audit-at-work = 注意：{ $run } 正在執行
audit-note = 注意：{ $note }
audit-runs = { $runs } 次執行，日誌共 { $records } 筆，簽章者 { $signer }
audit-no-signer = 不在信任名單的金鑰
audit-runs-no-log = { $runs } 次執行，沒有日誌
audit-no-anchor = 尚無；見 `fwai audit anchor`
audit-unanchored = 上次外部錨定之後新增 { $count } 筆（{ $places }）
audit-verified = 驗證通過
audit-not-verified = 驗證未通過
audit-problems = ：{ $count } 個問題
audit-no-log = 這裡還沒有日誌
audit-log = { $origin }  { $count } 個葉節點  根 { $root }
audit-proved = { $path }：第 { $leaf } 葉（共 { $size }），到已簽章的根需 { $hashes } 個雜湊
audit-check-anywhere = 在任何機器都能驗證：{ $command }
audit-no-claims = 沒有任何執行提出主張
claim-fresh = 有效
claim-stale = 過期
claim-unsupported = 缺乏依據
audit-forget-confirm = 要忘掉已經不在這裡的日誌檢查點嗎？
audit-forgotten = 已忘掉 { $count } 個
audit-anchored = 已將 { $count } 筆錨定於 { $place }
audit-share = 分享出去：{ $command }
audit-key = 金鑰識別碼 { $id }；舊金鑰 { $count } 把
audit-rotate-confirm = 要換一把新的簽章金鑰嗎？
audit-rotated = { $new } 取代 { $old }
audit-rotated-next = 把新金鑰交給在 policy.trusted_keys 列出舊金鑰的人

## security、sbom

security-in-commit = 於 { $commit }
security-none = { $files } 個檔案裡沒有機密
security-found = { $files } 個檔案裡有 { $count } 筆機密；請移除，並更換已經外洩的部分
sbom-unknown = 來源不明

## 模型

provider-key = 已設金鑰
provider-no-key = 沒有金鑰：請設定 { $variable }
provider-needs-no-key = 不需金鑰
provider-ready = 可用
provider-not-ready = 無法使用
provider-used = 供應者改為 { $name }，寫在 { $file }
provider-used-with = 供應者改為 { $name }、模型 { $model }，寫在 { $file }
provider-other-model = 注意：provider.model 原本是 `{ $model }`；用 `fwai provider models` 看 { $name } 提供哪些模型
provider-context = 上下文
provider-price-unknown = 價格不明
provider-price = 每百萬 token：輸入 ${ $input }、輸出 ${ $output }
provider-no-models = { $name } 沒有提供模型；若用 Ollama：ollama pull qwen3
provider-tested = { $name } { $model }：{ $answer }；首字 { $first }，全文 { $total } ms；輸入 { $input }、輸出 { $output } token，費用 { $cost }
ask-token-limit = 回答已達 token 上限，並未說完；請調高 provider.max_tokens
model-again = { $error }；{ $seconds } 秒後重試
model-void = 以上作廢，重新回答：

## demo

demo-intro = fwai 是韌體的 AI 工程師。請看它找出並修好一個錯誤：真的編譯器、QEMU 裡的開發板，不需要金鑰，也不需要網路。
demo-project = 一個有錯誤的韌體專案
demo-bug = 它能編譯、能啟動，卻在印出 "boot ok" 之前就發生 fault。
demo-task = 交給代理的任務
demo-live = 以下的回答來自您自己的模型。
demo-recorded = 以下模型說的話是錄好的；所有工具都是真的在執行。
demo-check = 任何人都能驗證的部分
demo-change = 代理所做的修改：
demo-done = 錯誤已修正，開發板順利開機，每一步都已簽章。
demo-places =
    報告：  { $report }
    專案：  { $project }
demo-look-around = 到處看看：cd 到那裡，再執行 `fwai evidence list`、`fwai audit log`、`fwai undo`。
recorded-task = 韌體編譯得過，但在開發板上從來沒有印出 "boot ok"。找出原因，以最小的修改修好，並證明它能開機。
recorded-1 = 先重現問題：編譯，確保測的就是原始碼所寫的。
recorded-2 = 編譯沒有問題。接著是開發板：燒錄的正是這個映像檔。
recorded-3 = 已證明映像檔在開發板上。看它開機。
recorded-4 = 它印出開頭的訊息後就停了。核心知道原因：讀取 fault 暫存器。
recorded-5 = 核心在 led_init（src/led.c:15）發生 fault。讀這個檔案，並找出所有用到該位址的地方。
recorded-6 = STM32F100 的 Port C 在 APB2 上，位址是 0x40011000；檔案裡寫的是 0x60011000，那裡沒有任何回應。錯了一個數字。
recorded-7 = 重新編譯。
recorded-8 = 燒錄修好的映像檔。
recorded-9 = 再看它開機。
recorded-10 = 開機成功。原因是 src/led.c:8 的 GPIO Port C 基底位址：寫成 0x60011000，應為 0x40011000，因此 led_init 存取了沒有周邊的位址，核心在印出 "boot ok" 之前就發生 fault。我改了那一個數字；新的映像檔已證明在虛擬開發板上，並印出 "boot ok"。燈本身沒有檢查：虛擬開發板沒有模擬它。

## 錯誤與程式庫說的話

said-not-a-directory = { $path } 不是目錄
said-no-current-directory = 無法使用目前的目錄：{ $error }
said-no-current-directory-next = cd 到一個存在的目錄
said-needs-yes = 需要您同意：{ $question }
said-no-answer = 沒有得到回答：{ $question }
said-needs-yes-next = 加上 --yes 再執行一次，或在終端機裡執行
said-answer-unreadable = 讀不到回答：{ $error }
said-set-assignment = --set { $assignment }：請寫成 KEY=VALUE
said-cannot-be-written = 無法寫入 { $path }：{ $error }
said-other-output = 用 --output 指定別的檔案
said-stdin-unreadable = 無法讀取標準輸入：{ $error }
said-no-question = 沒有給問題
said-stdin-large = 標準輸入超過 { $size } kB，不適合放進一個問題
said-stdin-large-next = 只傳一部分，例如先經過 `tail`
said-model-wants-tool = 模型想用工具；`fwai exec` 才有工具，`fwai ask` 沒有
said-model-refused = { $provider }：模型拒絕回答
said-model-stopped = { $provider }：模型停止了：{ $reason }
said-model-silent = 模型有回應，但沒有文字
said-answer-cut = 印出來的不是完整回答，請再問一次
said-check-key = 請檢查金鑰；fwai provider list 會顯示它來自哪裡
said-no-run = 沒有名為 `{ $name }` 的執行紀錄
said-no-witness = 尚未設定見證者
said-nothing-to-anchor = 這裡還沒有日誌，沒有東西可以錨定
said-evidence-wrong-at = 證據驗證未通過：{ $file }：{ $what }
said-evidence-wrong = 證據驗證未通過
said-witness-failed = 見證者 { $name }：{ $why }
said-set-build-command = 執行 `fwai init`，或在 .fwai/project.yaml 設定 build.command
said-key-not-set = 尚未設定 `{ $key }`
said-no-schema-guess = 沒有名為 `{ $name }` 的 schema；您是不是要找 `{ $guess }`？
said-no-schema = 沒有名為 `{ $name }` 的 schema
said-one-of = 可選：{ $names }
said-commands-unreadable = 無法讀取指令：{ $error }
said-agent-unfinished = 代理沒有做完：{ $reason }
said-no-first-commit = git 無法建立示範的第一個提交：{ $why }
said-other-dir = 用 --dir 指定別的目錄
said-template-changed = { $path } 的範本已經改變，示範對不上
said-not-empty = { $path } 不是空目錄
said-not-a-run-file = { $file } 不是執行紀錄裡的檔案
said-needs-person = 需要有人處理：{ $what }
said-needs-answer-next = 在終端機裡執行、把答案寫進任務，或使用 --yes（採用第一個選項）
said-needs-plan-next = 先讀計畫，再執行它：fwai exec --resume last --mode auto "carry out the plan"
said-needs-person-next = 在終端機裡執行、加一條規則（`fwai policy rules`），或使用 --yes 或 --mode yolo
said-task-binary = 標準輸入中的任務不是文字
said-task-long = 標準輸入中的任務有 { $size } 位元組；模型大約只能接受 { $limit }
said-task-in-words = 用文字給出任務：fwai exec "要做什麼" < 檔案
said-max-cost = --max-cost 需要大於 0 的美元金額
said-schema-next = 一次少要一點、放寬 schema，或換一個模型
said-schema-object = 必須是 JSON 物件
said-plan-approve = 核准這個計畫嗎？
said-plan-execute = 核准並執行
said-plan-keep = 繼續規劃
said-plan-files = 這個計畫會更動的檔案
said-plan-no-files = 計畫沒有提到任何檔案。
said-no-task = 沒有給任務
said-watchdog = 超過 { $seconds } 秒，已由看門狗停止
said-answer-schema = 回答不符合 schema：{ $why }
said-answer-not-json = 回答不是 JSON：{ $error }
said-unfinished = 任務沒有完成（{ $reason }）
said-board-left = 沒有動開發板
said-files-do-not-say = 專案檔案沒有寫明：{ $keys }
said-init-open = 在終端機執行 `fwai init`，或用 `fwai init --yes` 先空著
said-manual-unwritable = 無法寫出手冊：{ $error }
said-budget-form = --budget { $budget }：請寫成 REGION=LIMIT，例如 flash=90%
said-no-rule = 沒有編號 { $number } 的規則
said-no-provider-guess = 沒有名為 `{ $name }` 的供應者；您是不是要找 `{ $guess }`？
said-no-provider = 沒有名為 `{ $name }` 的供應者
said-cannot-wait = 無法等待指令結束：{ $error }
said-output-limit = 指令輸出超過 { $size } MB，已強制結束
said-output-limit-next = 調高 sandbox.output_mb，或改寫到檔案
said-no-image = 不知道要用哪個映像檔
said-no-image-next = 指定一個 ELF、在 .fwai/project.yaml 設定 build.elf，或執行 `fwai build`
said-trust-unkept = 無法儲存信任紀錄：{ $error }
said-not-trusted = 未信任
said-nothing-to-undo = 沒有可以復原的變更
said-no-step-list = 沒有第 { $number } 步；現有的步驟是 { $steps }
said-no-step = 沒有第 { $number } 步
said-step-changed-nothing = 第 { $number } 步沒有改變任何東西
said-undo-left = 之後又改過，維持原樣：{ $files }
said-restored = 已把 { $count } 個檔案還原到第 { $number } 步之前：{ $files }
said-input-unreadable = 讀不到輸入：{ $error }
said-agents-list = /agents 會列出名稱
said-no-agent-guess = 沒有名為 `{ $name }` 的代理；您是不是要找 `{ $guess }`？
said-no-agent = 沒有名為 `{ $name }` 的代理
said-agent-form = 請寫成 /agent NAME TASK
said-export-alone = 單獨的 /export 會匯出最新的執行紀錄
said-fork-form = `{ $number }` 不是輪次的編號
said-fork-next = /fork 複製整段對話，/fork 2 只複製前兩輪；/sessions show last 列出各輪
said-modes = plan、ask、auto 或 yolo
said-no-mode-guess = 沒有 `{ $name }` 模式；您是不是要用 `{ $guess }`？
said-no-mode = 沒有 `{ $name }` 模式
said-one-word = 模型名稱是一個字，中間沒有空白
said-open-form = 請寫成 /open、/open N 或 /open list
said-quote = 引號沒有成對
said-sessions-list = /sessions 會列出它們
said-no-other-session = 這裡還沒有其他對話
said-session-ended = 對話已結束
said-name-a-skill = 請指定技能
said-input-form = --input { $text }：請寫成 KEY=VALUE
said-input-twice = --input { $key } 給了兩次
said-skill-needs-model = 技能 { $skill } 的這些步驟需要模型：{ $steps }。{ $why }
said-skill-needs-model-next = `fwai provider list` 會說明如何設定；什麼都還沒開始
said-negated = 「{ $words }」說的是不要做什麼；沒有執行技能
said-skill-folder = `{ $name }` 是 SKILL.md：給代理看的說明，不是一步步的流程
said-skill-untrusted = 技能 `{ $name }` 屬於這個尚未受信任的專案
said-look-then-trust = 先看過 .fwai/，再執行 `fwai trust`
said-no-skill-guess = 沒有名為 `{ $name }` 的技能，這些話也對不上；您是不是要用 `{ $guess }`？
said-no-skill = 沒有名為 `{ $name }` 的技能，這些話也對不上
said-nothing-run = 什麼都沒有執行
said-name-the-skill = 請直接指定技能名稱
said-doctor-configuration = 設定
said-doctor-project = 專案
said-doctor-policy = 政策
said-doctor-namespaces = 使用者命名空間
said-doctor-sandbox = 沙箱
said-doctor-ports = 序列埠
said-doctor-port = 序列埠 { $port }
said-doctor-probes = 除錯器
said-doctor-probe = 除錯器 { $name }
said-doctor-key = { $name } 的金鑰
said-doctor-provider = 模型供應者
said-doctor-online = 模型連線
said-doctor-disk = 磁碟空間
said-doctor-temporary = 暫存空間
said-doctor-valid = 有效
said-doctor-no-project = 這裡沒有 .fwai/project.yaml
said-doctor-may = 目前使用者可以建立
said-doctor-may-not = 目前使用者不能建立
said-doctor-filters = 可以使用過濾器
said-doctor-no-filters = 核心不支援過濾器
said-doctor-kernel-none = 核心不支援
said-doctor-installed = 已安裝
said-doctor-walls-off = 設定中已關閉；每次執行都會記錄這一點
said-doctor-walls = 指令都在沙箱內執行
said-doctor-refused = 指令一律拒絕執行；缺少：{ $missing }
said-doctor-mend-above = 先修復上面幾項
said-doctor-boards = { $version }；虛擬開發板：{ $names }
said-doctor-qemu = 未安裝；虛擬開發板需要它
said-doctor-none-probe = 沒有接上；虛擬開發板不需要
said-doctor-none = 沒有接上
said-doctor-port-ok = 可讀可寫
said-doctor-port-denied = 目前使用者沒有權限；它屬於群組 { $group }
said-doctor-port-fix = sudo usermod -aG { $group } "$USER"，然後重新登入
said-doctor-set = 已設定 { $variable }
said-doctor-not-set = 未設定 { $variable }
said-doctor-no-key = { $name } 沒有金鑰
said-doctor-model = { $name }，模型 { $model }，位於 { $address }
said-doctor-no-provider = 沒有選擇供應者，也沒有設定金鑰；若 Ollama 正在執行就會用它
said-doctor-provider-fix = export { $variable }=…，或 fwai provider use ollama
said-doctor-free = { $path } 還有 { $size } MB
said-doctor-needs = 未安裝；這個專案需要它：{ $purpose }
said-doctor-needed = 未安裝；用途：{ $purpose }
said-doctor-answers = { $name } 有回應：{ $detail }
said-doctor-no-answer = 10 秒內沒有回應

# fwai run
run-understood = 理解為技能 { $skill }
run-table-step = 步驟
run-table-status = 狀態
run-table-time = 時間
run-table-tries = 次數
run-table-evidence = 證據
run-verdict = { $skill }：{ $status }，{ $seconds } 秒
run-verdict-run = ；執行紀錄 { $run }
run-instructions = （給代理的說明）
run-untrusted = 尚未信任，因此略過：{ $skills }
run-untrusted-next = 下一步：看過 .fwai/skills 之後執行 `fwai trust`
exec-input-binary = 標準輸入是二進位資料（{ $bytes } 位元組）：模型會知道這一點，並看到開頭的位元組
exec-input-cut = 標準輸入有 { $bytes } 位元組；省略中間部分，模型約收到 { $kept } 位元組
exec-price-unknown = 不知道 { $model } 的價格，--max-cost 無法生效；請設定 provider.models.{ $model }.input 與 .output（每百萬 token 的美元價格）
run-summary-lost = 無法寫出給 CI 系統的摘要：{ $error }
run-model-unsure = 模型無法判斷是哪個技能：{ $error }
run-ask-one = 「{ $words }」：要執行技能 { $skill } 嗎？
run-ask-which = 要哪一個？[編號]
intent-read = 「{ $words }」讀作「{ $core }」
intent-says-no = 「{ $word }」表示不要：否定的句子不會執行任何東西
intent-asks-or-tells = 「{ $word }」使這句話成為問題或敘述：只會回答，不會執行
intent-runs = 所以執行 { $skill }（由 { $layer } 決定）
intent-asks = 所以 fwai 先問：{ $skills }
intent-chat = 所以當作對話，交給代理
explain-skill = { $name }：{ $about }
explain-from = 來自 { $file }
explain-input = 輸入 { $name }{ $value }
explain-when = 條件
explain-fails = 失敗時
explain-limits = 限制
explain-line = { $title }：{ $text }
step-line = 步驟 { $name }
step-line-kind = 步驟 { $name }（{ $kind }）
step-retry = { $name }：{ $reason }；{ $seconds } 秒後第 { $attempt } 次嘗試
step-left-out = 略過 { $name }（{ $why }）
step-ended = 步驟 { $name }：{ $status }
step-tries = ，試了 { $count } 次
said-explain-tool-unknown = 工具 { $tool }（不存在）
said-explain-tool = 工具 { $tool }
said-explain-evidence = 彙整各步驟的證據
said-explain-analyze = 請模型分析 { $input }：{ $prompt }
said-explain-agentic = 讓代理 { $agent } 處理：{ $goal }
said-explain-abort = 技能結束
said-explain-once-more = 再試一次，然後技能結束
said-explain-goes-on = 繼續，但技能算失敗
said-explain-ignore = 當作沒事，繼續
said-explain-tries = 再試 { $count } 次，第一次在 { $wait } 秒後
said-explain-limit = 每次 { $seconds } 秒
said-without-model = 不需要模型也能做：`{ $command }`
said-step-left-out = 略過了 { $name }：{ $why }
said-intent-name-question = 正是它的名稱或觸發語，但是以問句說出
said-intent-name = 正是它的名稱或觸發語
said-intent-trigger-but = 含有觸發語「{ $trigger }」，但{ $doubt }
said-intent-trigger-beside = 含有觸發語「{ $trigger }」，另有 { $count } 個詞
said-intent-trigger = 含有觸發語「{ $trigger }」
said-intent-speaks-but = 談到 { $words }，但{ $doubt }
said-intent-speaks-beside = 談到 { $words }，另有 { $count } 個詞
said-intent-speaks = 談到 { $words }
said-intent-no = 這是否定句
said-intent-question = 這是問句或敘述
said-intent-writes = 它會寫入開發板，而話裡沒有提到
said-intent-slip = 「{ $said }」可能是指 { $meant }
said-intent-model = 模型：{ $why }
run-words-meant = → 技能 { $skill }
run-words-may = 這些話可能是指一個技能。
run-words-skill = 執行 { $skill }
run-words-agent = 交給代理
run-words-neither = 都不要
said-demo-all-exist = { $path } 和其他類似的目錄都已存在
said-git-cannot-start = 無法啟動 git：{ $error }
said-demo-name-a-place = 用 --dir 指定位置
said-apt-install = sudo apt install { $packages }
said-demo-needs = 示範需要以下尚未安裝的程式：{ $names }
said-demo-stops = 錄製到此為止：{ $tool } 在這台機器上的結果（{ $ended }）與錄製時（{ $recorded }）不同
said-demo-lacks = `fwai doctor` 會說明這台機器缺什麼；專案在 { $project }
said-demo-on-record = 到目前為止的紀錄在 { $project }：fwai evidence list
said-demo-live = 設定金鑰或啟動 Ollama（`fwai provider list`），或不加 --live 執行 `fwai demo`

## 互動對話

repl-greeting = 說出您想做的事，或輸入 /help。@檔案 附上檔案，Tab 補全，Ctrl-C 停止。
repl-not-set-up = 這個專案還沒設定：/init 會查看它的檔案。
repl-going-on = 接續 { $id }
repl-going-on-about = 接續 { $id }：{ $title }（{ $turns } 輪）
repl-this-conversation = { $id } 就是目前的對話
repl-going-on-copy = 在 { $id } 的副本 { $copy } 中繼續
repl-ascii-only = 這個語系只有 ASCII 字元，其他字元會顯示成 ?。設定 LANG=C.UTF-8 就能全部顯示。
repl-search = 搜尋：
attach-outside = @{ $name } 在專案之外，沒有附上
attach-missing = 找不到 @{ $name }，沒有附上；按 Tab 可補全名稱
attach-missing-guess = 找不到 @{ $name }，沒有附上；您是指 @{ $guess } 嗎？
attach-no-file = @{ $name } 不是檔案，沒有附上
attach-unreadable = 無法讀取 @{ $name }，沒有附上：{ $error }
attach-too-large = @{ $name } 有 { $bytes } 位元組，太大而無法附上；代理可以在其中搜尋
attach-cut = @{ $name } 有 { $bytes } 位元組；略去中間，附上 { $kept } 位元組
attach-binary = @{ $name } 是二進位檔（{ $bytes } 位元組）；附上大小與開頭的位元組
repl-press-again = 再按一次 Ctrl-C，或輸入 /quit 離開
repl-nothing-asked = 沒有人發問；略過 `{ $line }`
repl-interrupted = 已中斷；請說要改做什麼
repl-thinking = 思考中
repl-ctrl-c-stops = Ctrl-C 停止
repl-mode = 模式：{ $mode }
repl-plan = 計畫：{ $path }
repl-hint = 提示：{ $text }
repl-asks = 請求許可：{ $what }（{ $reason }）
plain-more-lines = （還有 { $count } 行）
answer-prompt = 您的回答{ $how }：
answer-number = （編號，或自己的話）
answer-numbers = （一個或多個編號，或自己的話）
repl-evidence = 證據 { $run }（{ $status }）
repl-shortened = 對話已縮短：{ $before } 變成 { $after } 個 token
repl-lines = { $count } 行
repl-more-lines = 另有 { $count } 行
repl-no-model = 沒有模型
repl-tokens = { $count } 個 token
repl-cost-unknown = 費用不明
repl-virtual = { $board }（虛擬）
repl-say = 說明：
repl-once = 是，這一次
repl-session = 這次對話都可以
repl-always = 一律允許（寫入規則）
repl-no = 否
repl-instead = 否，並說明要改做什麼
repl-approve = 核准並執行
repl-keep-planning = 繼續規劃
repl-change-plan = 說明要修改什麼
repl-choose = 選擇
repl-done = 完成
repl-enter-sends = 送出
repl-esc-back = 返回
repl-own-words = 用自己的話回答
repl-no-answer = 沒有回答
repl-terminal-gone = 終端機已經不在
repl-session-ended = 對話已經結束
repl-no-call = 還沒有呼叫過任何工具
repl-calls-range = 只有第 1 到第 { $last } 次呼叫
repl-pager-keys = 空白鍵、b、g、G 移動   q 離開
repl-no-conversation = 還沒有對話
repl-shortening = 正在縮短對話
repl-cost-read = 讀入
repl-cost-cached = 其中來自快取
repl-cost-written = 產生
repl-cost-calls = 工具呼叫
repl-cost-cost = 費用
repl-no-todos = 沒有待辦事項
repl-explorer = 只查看，不更動任何東西（內建）
repl-agents-where = 代理是 .fwai/agents/*.yaml 裡的檔案，專案受信任（/trust）後生效。
repl-export-exists = { $file } 已經存在；請換個檔名
repl-new = 新的對話
repl-new-back = 新的對話；/resume { $id } 可以回去
repl-model-is = 模型：{ $model }
repl-model-how = /model 名稱 或 /model 供應者/名稱 在這裡更換，/model list 列出可用的模型；/config set provider.model 名稱 會保留
repl-model-one-word = 模型名稱是一個詞
repl-unknown-command = 沒有 /{ $name } 這個指令
repl-unknown-command-guess = 沒有 /{ $name } 這個指令；您是不是要用 /{ $guess }？
repl-open-list = 所有呼叫及其編號
repl-newest-session = 最新的一個
repl-no-model-yet = 還沒有設定模型：請設定 ANTHROPIC_API_KEY、OPENAI_API_KEY 或 GEMINI_API_KEY，或啟動 Ollama。/demo 不需要模型就能看 fwai 工作。
repl-open-quote = 引號沒有結束
repl-help-rest = 其他文字都會說給代理聽。@路徑 附上檔案。Alt-Enter，或行尾的 \，換到下一行。
repl-help-working = 工作時：輸入的內容會排隊，↑ 取回，Esc 或 Ctrl-C 停止，Ctrl-O 打開最後一次呼叫。
repl-group-conversation = 對話
repl-group-firmware = 韌體
repl-group-agents = 代理與技能
repl-group-done = 做過的事
repl-group-settings = 設定
repl-group-and = 其他
slash-help = 這裡可以輸入什麼
slash-mode = 不詢問就能做到什麼程度
slash-plan = 只讀取，並寫出計畫
slash-act = 開始動手
slash-model = 顯示或更換模型
slash-todos = 代理還要做的事
slash-agents = 可以交付任務的代理
slash-agent = 把任務交給代理
slash-skills = 可以執行的流程
slash-open = 一次呼叫的完整輸出（Ctrl-O）
slash-new = 開始新的對話
slash-resume = 接續先前的對話
slash-fork = 在這次對話的副本中繼續
slash-sessions = 這個專案先前的對話
slash-compact = 立刻縮短對話
slash-cost = 到目前為止的 token 與費用
slash-undo = 復原代理的更動
slash-export = 對話存成 Markdown，或執行紀錄存成 HTML、CSV、SARIF、JSON
slash-init = 設定這個專案
slash-run = 在這次對話中執行技能
slash-quit = 離開（Ctrl-D）
said-run-has-no-file = 執行紀錄 { $run } 沒有 { $file }
said-run-or-exec = fwai run --list，或交給代理：fwai exec "…"
said-doctor-bubblewrap-there = 已安裝，但不需要：fwai 自己建立沙箱
said-doctor-bubblewrap-absent = 未安裝，也不需要：fwai 自己建立沙箱
said-doctor-bounds = 資源上限
said-doctor-bounded = 指令整棵行程樹的行程數與記憶體都有上限
said-doctor-bounded-memory = 指令整棵行程樹的記憶體有上限；行程數依使用者限制（Linux 6.14 起依命名空間）

## 機密規則（英文在規則資料裡）

secret-private-key-pem = 私密金鑰（PEM、OpenSSH、PGP），也包括 C 字串與 JSON 裡的
secret-private-key-putty = PuTTY 私密金鑰
secret-private-key-der-array = C 位元組陣列裡的 DER 私密金鑰
secret-private-key-der-base64 = DER 私密金鑰的 base64，沒有 PEM 標頭
secret-aws-access-key-id = AWS 存取金鑰識別碼
secret-aws-secret-key = AWS 私密存取金鑰
secret-github-token = GitHub token
secret-github-fine-grained-token = GitHub 細部權限 token
secret-gitlab-token = GitLab token
secret-gcp-api-key = Google API 金鑰（Cloud、Gemini、Firebase）
secret-gcp-oauth-secret = Google OAuth 用戶端機密或存取 token
secret-azure-key = Azure 儲存體、Service Bus 或 IoT Hub 金鑰
secret-azure-sas = Azure 共用存取簽章
secret-azure-ad-secret = Azure AD 用戶端機密
secret-slack-token = Slack token
secret-slack-webhook = Slack webhook
secret-stripe-key = Stripe 金鑰
secret-npm-token = npm token
secret-pypi-token = PyPI token
secret-anthropic-key = Anthropic API 金鑰
secret-openai-key = OpenAI API 金鑰
secret-api-key-sk = sk-… 形式的 API 金鑰
secret-model-provider-key = 模型供應者的 API 金鑰（Groq、xAI、Perplexity、Hugging Face、Replicate）
secret-jwt = JSON Web Token
secret-service-token = 有已知開頭的服務 token（DigitalOcean、Docker、Vault、Grafana、SendGrid、Shopify、Databricks…）
secret-chat-bot-token = Telegram 或 Discord token
secret-authorization-header = HTTP 標頭裡的認證資訊
secret-url-credentials = 網址裡的密碼
secret-wifi-password = Wi-Fi 密碼
secret-wifi-begin = 呼叫裡的 Wi-Fi 密碼
secret-secure-boot-key = C 陣列裡的安全開機金鑰（MCUboot、ESP secure boot、OTA）
secret-crypto-key-array = C 陣列裡的加密金鑰
secret-crypto-key-hex = 十六進位字串的加密金鑰
secret-aws-session-token = AWS session token
secret-iot-cloud-key = IoT 雲端的金鑰（Firebase messaging、The Things Network、Edge Impulse）
secret-docker-auth = Docker 設定裡的 registry 認證
secret-password-hash = 系統帳號的密碼雜湊
secret-token-in-url = 網址裡的 token
secret-password-in-xml = XML 元素裡的密碼
secret-password-in-command = curl 或 sshpass 指令裡的密碼
secret-netrc-password = .netrc 檔裡的密碼
secret-nvs-secret = NVS 分割表裡的機密
secret-escaped-secret = 跳脫引號裡的機密（編譯旗標、JSON 裡的 JSON、AT 指令）
secret-network-connect = 連線呼叫裡的密碼
secret-token-in-call = 登入呼叫裡的 token
secret-key-fromhex = Python 裡由十六進位字串而來的加密金鑰
secret-key-base64 = base64 形式的對稱金鑰
secret-define-key = 原始碼裡直接寫的金鑰
secret-key-array = 陣列裡的金鑰（十進位、跳脫字元或 Rust）
secret-command-line-secret = 指令列上的機密
secret-password-literal = 原始碼裡直接寫的密碼
secret-password = 原始碼或設定檔裡的密碼
secret-password-unquoted = 環境或設定檔裡的密碼
secret-api-token = 原始碼或設定檔裡的 API 金鑰、機密或 token

## fwai 附帶的技能（英文在各自的 YAML）

skill-build_and_test = 編譯韌體，再執行測試。
skill-build_flash_monitor = 編譯韌體、燒錄開發板，並看著它開機。
    .board = 要燒錄的開發板；空白時用專案的
skill-fix_build = 編譯韌體，讓代理修好失敗的地方。
skill-diagnose_boot = 從主控台與 fault 暫存器找出韌體為何無法開機。
skill-size_report = 編譯韌體，並報告快閃記憶體與 RAM 用在哪裡。
    .against = 要比較的 ELF 或 git 版本；空白時不比較

## 請求允許的事與理由

may-run-open = 在沙箱中執行 `{ $command }`，並開放網路
may-run = 在沙箱中執行 `{ $command }`
may-write = 寫入 { $path }
may-change = 修改 { $path }
may-fetch = 下載 { $url }
may-flash = 把編譯好的韌體燒錄到開發板
may-reset = 重新啟動開發板
may-erase = 清除開發板的記憶體
may-fuse = 燒斷熔絲，無法復原
may-use = 使用 { $tool } { $arguments }
may-since-reads = 只讀取
may-since-network = 會開啟網路連線
may-since-environment = 它的環境變數會改變執行哪些程式
may-since-program = fwai 不認得 `{ $name }` 這個程式；它受沙箱限制
may-since-known-later = 會修改 `{ $path }`，執行時才知道是什麼
may-since-outside-change = 會修改專案之外的 { $path }
may-since-outside-read = 會讀取專案之外的 { $path }
may-since-outside = { $path } 在專案之外
may-since-files = 會修改專案的檔案
may-since-in-place = 直接修改檔案
may-since-restorable = 變更可以復原
may-since-written = 寫入 { $path }，可以復原
may-since-secrets = { $path } 內含機密
may-since-contacts = 會連線到 { $host }
may-since-tool-runs = { $tool } 會執行程式
may-since-tool-network = { $tool } 會使用網路
may-since-virtual = 虛擬開發板不會留下任何影響
may-since-board-reset = 會重新啟動開發板
may-since-board-flash = 會寫入開發板
may-since-board-erase = 會清除開發板
may-since-board-fuse = 會燒斷熔絲，無法復原
may-since-plan = 規劃模式只能讀取：{ $why }
may-since-unknown = fwai 無法判斷它會做什麼：{ $why }
may-since-no-walls = { $why }；外面沒有沙箱
may-since-blocked = 政策禁用工具 { $tool }
said-flash-board = 燒錄開發板 { $name }（{ $kind }；{ $title }）
said-flash-image = 映像檔   { $path }
said-flash-size = 大小     { $count } 位元組
said-flash-region = 區域     { $name }：{ $length } 位元組中的 { $used }，位於 { $origin }（{ $percent } %）
said-proof-equal = 讀回 { $count } 位元組，與 { $path } 相同
said-own-directory = 您自己的目錄
may-since-talks = `git { $command }` 會連到別的機器

# 較少見的函式庫訊息
said-document-unknown-in = `{ $path }` 中不認得的鍵 `{ $key }`
said-document-unknown = 不認得的鍵 `{ $key }`
said-document-choice = `{ $path }` 不能是 `{ $text }`
said-document-range = `{ $path }` 超出範圍
said-document-needs = `{ $place }` 需要鍵 `{ $required }`
said-document-itself = 這份文件需要鍵 `{ $required }`
said-document-type = { $subject } 必須是{ $wanted }，這裡卻是{ $found }
said-document-variable = 沒有設定環境變數 { $name }
said-document-single = 一個檔案只能有一份 YAML 文件
said-document-allowed = 可用的值：{ $words }
said-turn-limit = 這一輪在{ $limit }停止；說「continue」可以繼續。
said-turn-calls = 一輪最多 { $count } 次模型呼叫的上限
said-turn-tokens = 一輪最多 { $most } 個輸出 token 的上限
said-turn-cost = 一輪最多 ${ $most } 的上限
said-turn-stuck = 這一輪已停止：模型一再重複失敗的呼叫。
said-turn-cut = 回答在模型的輸出上限處被截斷；說「continue」取得其餘部分。
said-turn-window = 對話超過模型的視窗，而且無法再縮短
said-hint-new-session = 開始新的對話，或設定 `provider.context_window`
said-hint-doctor = `fwai doctor` 會檢查連線
said-hint-wait = 稍等一下，再說「continue」
said-demo-hint = `fwai demo` 不需要金鑰、開發板或網路，就能看 fwai 工作
said-guess-directory = 目錄就叫這個名字
said-datasheet-any = 微控制器的規格書
said-errata-any = 微控制器的勘誤表
said-reference-any = 微控制器的參考手冊
said-schematic-any = 開發板的電路圖
said-schematic = 開發板 { $board } 的電路圖
said-datasheet = { $chip } 的規格書
said-errata = { $chip } 的勘誤表
said-doctor-usual = 預設模型
said-doctor-silent = { $path } 對 `{ $argument }` 沒有回應
said-sandbox-ended = 指令已被終止：{ $why }
said-sandbox-do-less = 提高那項設定，或讓指令少做一點
said-anywhere = { $place }: { $words }

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
wrote = 已寫入 { $path }
kept-as-run = 已存成執行紀錄 { $run }
untrusted-settings = 這個專案尚未受信任，因此 .fwai/config.yaml 的下列設定不會生效：{ $keys }
untrusted-settings-next = 先看過內容，再執行 `fwai trust`

status-success = 成功
status-failure = 失敗
status-running = 執行中
status-interrupted = 中斷
status-denied = 被拒
status-timeout = 逾時

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

## doctor

doctor-ok = 正常
doctor-warning = 警告
doctor-problem = 問題
doctor-mend = 修復：

## init

init-questions = 專案檔案沒有寫明以下幾項；直接按 Enter 表示暫不設定。
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

## undo、diff、sessions

undo-nothing = 沒有可以復原的變更
undo-step = 在 { $call } 之前
diff-nothing = 沒有任何變更
sessions-none = 還沒有對話；用 `fwai` 或 `fwai exec` 開始
sessions-go-on = 接著進行：{ $command }
sessions-removed = 已刪除 { $session }

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

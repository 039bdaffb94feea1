# `--help` 與指令列錯誤，繁體中文（臺灣）。英文就是原始碼裡的說明註解。
# help-<指令>：一句話說明；.more 是較長的說明，.examples 是範例，其餘屬性是各個參數。

heading-usage = 用法：
heading-commands = 指令：
heading-arguments = 參數：
heading-options = 選項：
heading-global-options = 通用選項：
heading-examples = 範例：
remark-default = [預設：
remark-values = [可用值：
remark-variable = [環境變數：
remark-aliases = [別名：
remark-values-below = 可用值：
remark-options = [選項]
remark-command = [指令]
help-of-help = 顯示說明（--help 比 -h 詳細）
help-of-version = 顯示版本
help-of-subcommands = 顯示這份說明，或某個指令的說明

mistake-word = 錯誤：
mistake-unknown-argument = 不認得的參數 '{ $argument }'
mistake-unknown-command = 不認得的指令 '{ $command }'
mistake-missing-command = '{ $command }' 之後還要有一個指令
mistake-missing-argument = 缺少必要的參數：{ $argument }
mistake-missing-value = '{ $argument }' 需要一個值
mistake-wrong-value = '{ $argument }' 不接受 '{ $value }' 這個值
mistake-too-many-values = '{ $argument }' 的值太多，用不到 '{ $value }'
mistake-conflict = '{ $argument }' 不能和 { $other } 一起使用
mistake-allowed = 可用值：{ $values }
mistake-guess = 您是不是要用 '{ $guess }'？
mistake-see-help = 詳細用法請加上 '--help'。

## fwai

help-fwai = fwai，韌體開發的 AI 工程師
    .more = 閱讀、規劃、修改、編譯、燒錄、監看主控台並除錯，而且每次操作都留下任何人都能驗證的證據。不加指令就進入互動對話。
    .examples =
        範例：
          fwai init                      設定這個專案
          fwai build                     編譯
          fwai exec "why does it fault?"  交給代理做一次
          fwai doctor                    這台機器還缺什麼

        結束碼：0 成功、1 工作失敗、2 用法或設定有誤、3 政策拒絕、
        4 需要有人處理、124 逾時監看、130 被中斷。
    .json = 在標準輸出印出一個 JSON 物件；給人看的文字改到標準錯誤
    .quiet = 只說必要的話
    .yes = 凡有安全答案的問題，一律回答「是」
    .ci = 從不發問；遇到問題就以結束碼 4 結束
    .verbose = 記錄多一點；兩次用於除錯，三次全部記錄
    .color = 何時使用顏色
    .lang = 顯示的語言：en、zh-TW 或 zh-CN
    .directory = 視同在這個目錄下執行
    .set = 只為這次執行設定一個設定鍵
    .provider = 這次執行的供應者：anthropic、openai、gemini、ollama、local、replay
    .model = 這次執行的模型
    .base_url = 相容模型伺服器的網址

help-doctor = 檢查這台機器：工具鏈、沙箱、開發板、序列埠、金鑰、設定
    .more = 每一行是正常、警告或問題，並附上修復用的指令；有問題時結束碼為 1。絕不印出金鑰；除非加上 --online，否則什麼都不會送出去。
    .online = 另外詢問模型供應者能否連上；不花 token

help-exec = 交給代理一項任務，等它做完
    .more = 標準輸入的文字會當成資料交給模型。加上 --json 時，標準輸出每行一個事件，最後一個是 turn_ended。
    .examples =
        範例：
          fwai exec "為什麼開機就 fault？"
          make 2>&1 | fwai exec "解釋第一個錯誤"
          fwai exec --mode plan "要怎麼加上看門狗？"
          fwai exec --resume last "繼續"
          fwai exec --json --max-turns 20 "修好編譯" > events.jsonl
    .task = 任務內容；`-` 表示從標準輸入讀取
    .mode = 不經詢問可以做到什麼程度
    .max_turns = 這一輪最多呼叫模型幾次
    .max_cost = 這一輪最多花多少美元
    .output_schema = 最後的回答必須是符合這份 schema 的 JSON
    .resume = 接續一段對話：識別碼或 `last`
    .watchdog = 超過這麼多秒就以結束碼 124 結束

help-demo = 看代理在虛擬開發板上找出並修好一個真的錯誤
    .more = 不需要金鑰、開發板或網路。模型說的話是錄好的，所有工具都真的執行。
    .live = 改問您自己的模型，不播放錄好的內容
    .dir = 專案要建在哪裡；未指定時用新的暫存目錄

help-sessions = 列出、檢視、接續、分岔與刪除對話
    .more = 對話可用識別碼、識別碼開頭或 `last` 指定。
    .examples =
        範例：
          fwai sessions list
          fwai sessions show last
          fwai sessions fork last --turn 2
          fwai exec --resume last "繼續"
help-sessions-list = 列出所有對話，最新的在前
    .all = 連同子代理的對話
help-sessions-show = 印出說過與做過的事
    .session = 識別碼、識別碼開頭，或 `last`
help-sessions-resume = 接續一段對話
    .session = 識別碼、識別碼開頭，或 `last`
help-sessions-fork = 把對話複製到某一輪為止，換個方向繼續
    .session = 識別碼、識別碼開頭，或 `last`
    .turn = 保留到第幾輪；未指定時全部保留
help-sessions-rm = 刪除對話
    .sessions = 識別碼、識別碼開頭，或 `last`

help-build = 編譯韌體；指出錯在哪裡（最可能的原因在前），以及產出了什麼
    .more = 在沙箱裡執行 .fwai/project.yaml 的編譯指令；沒有寫就依專案檔案判斷。
    .command = 改執行這個 shell 指令
    .clean = 先執行專案的清除指令
    .allow_network = 允許編譯時連上網路（套件管理工具）
    .output = 即時顯示編譯工具的輸出

help-memory = 顯示映像檔的位元組用在哪裡：區域、區段、檔案、符號
    .more = .fwai/project.yaml 的 memory.budgets 與 --budget 是門檻：只要超出一項，結束碼就是 1。
    .elf = 映像檔；未指定時用最新的編譯結果
    .against = 與這個 ELF 比較，或與一個 git 版本比較（會為此編譯它）
    .map = 連結器的 map 檔；未指定時在 ELF 旁邊找
    .script = 定義記憶體區域的連結腳本
    .html = 寫出單一檔案的樹狀圖網頁
    .top = 表格中檔案與符號的列數
    .budget = 某個區域的上限，百分比或位元組
    .max_symbol_growth = 相較之下，單一符號最多可增加的位元組數

help-undo = 復原代理所做的變更，包含 shell 指令造成的
    .examples =
        範例：
          fwai undo            上一個變更
          fwai undo --list     可以復原哪些
          fwai undo --to 1     第 1 步以來的全部
    .to = 把檔案還原到這一步之前
    .list = 列出各步驟

help-diff = 顯示代理所做的變更，包含 shell 指令造成的

help-trust = 信任這個專案目前的 hook、工具、代理、技能與規則
    .more = 未受信任、或信任之後又改過的專案，不能執行它自己帶的任何東西。
    .show = 只顯示是否已信任
    .revoke = 收回信任

help-init = 設定這個專案，或建立新專案
    .more = 從專案檔案讀出建置系統、晶片、開發板、時脈、記憶體配置、指令與序列埠設定，檔案沒寫的才詢問，然後寫入 .fwai/。再次執行時只更新它自己寫的部分，您寫的都會保留。
    .examples =
        範例：
          fwai init                                    設定目前目錄的專案
          fwai init --yes                              缺的部分採用最佳推測
          fwai init --template bare-metal my-firmware  建立能在虛擬開發板上開機的新專案
    .dir = 專案目錄；未指定時為目前目錄
    .template = 建立新專案：bare-metal、freertos 或 arduino
    .name = 新專案的名稱；未指定時用目錄名稱
    .answer = 說出檔案沒寫的：mcu=STM32F401CCU6、flash_command='make flash'；可重複

help-evidence = 列出、檢視與比較執行紀錄
help-evidence-list = 列出執行紀錄，最新的在前
    .count = 最多幾筆
help-evidence-show = 顯示一筆執行紀錄
    .run = 執行識別碼、其開頭、`build` 之類的標籤，或 `latest`
    .log = 改印出這次執行的某個檔案，例如 build.log
help-evidence-diff = 逐欄比較兩筆執行紀錄
    .old = 較早的執行
    .new = 較晚的執行
help-evidence-open = 在瀏覽器中開啟執行紀錄的報告
    .more = 頁面會重新產生，並顯示目前的驗證結果。優先用 $BROWSER 開啟，其次用桌面預設程式；沒有桌面時則印出路徑。
    .run = 執行識別碼、其開頭、`build` 之類的標籤，或 `latest`
    .file = 改開啟其中一個檔案，例如 changes.diff

help-audit = 驗證證據、向他人證明執行、錨定日誌
help-audit-verify = 檢查執行紀錄、簽章、日誌與錨點
    .more = 每次執行的每個檔案都與已簽章的陳述比對，每份陳述與 Merkle 日誌比對，日誌再與存放在別處的每個檢查點比對。全部相符時結束碼才是 0。
    .run = 執行識別碼、其開頭、`build` 之類的標籤，或 `latest`；未指定時檢查全部
    .all = 檢查全部；未指定執行時本來就是如此
help-audit-prove = 寫出一次執行的證明包，內附 Python 驗證程式
    .run = 執行識別碼、其開頭、`build` 之類的標籤，或 `latest`
    .output = 目錄，或以 .tar 結尾的檔名；預設為執行識別碼加上 `-proof`
help-audit-log = 列出日誌的葉節點，最新的在前
    .count = 幾筆
help-audit-claims = 指出哪些主張有效、哪些已過期
    .more = 主張以 SHA-256 涵蓋檔案並引用執行紀錄；涵蓋的檔案改過就過期，引用的執行不存在或未成功則缺乏依據。每一類最新的主張決定結束碼。
    .run = 只看這次執行的主張
help-audit-anchor = 把日誌的檢查點存到 git notes、標籤或見證者
    .more = 每次執行都會在您自己的目錄存一份；這個指令另外存放，推送之後其他人也看得到：git notes 在 refs/notes/fwai，標籤為 fwai/<size>。
    .notes = 存到 HEAD 的 git notes
    .tag = 存成附註標籤 fwai/<size>
    .sign = 標籤另外用您的 git 金鑰簽章
    .witness = 存到 evidence.witness_url 指定的見證者
    .forget = 詢問後，忘掉以前在這裡而現在已不在的日誌
help-audit-key = 顯示或更換簽署證據的金鑰
help-audit-key-show = 印出公鑰，供別人填入 `policy.trusted_keys`；沒有金鑰時會產生一把
    .pem = 以 PEM 格式輸出，供 openssl 使用
help-audit-key-rotate = 換一把新金鑰；更換聲明由新舊兩把共同簽署

help-export = 把執行紀錄匯出成 JSON、CSV、SARIF 或 HTML
    .more = HTML 每次執行一個獨立檔案，多筆時另有索引。匯出前會檢查每次執行的驗證狀態，並寫進各種格式（CSV 的明細除外）。
    .examples =
        範例：
          fwai export latest                         20260228-161234-build.html
          fwai export --all --format html -o report  report/index.html，每次執行一頁
          fwai export --all --format csv -o runs.csv
          fwai audit export --all --format sarif > runs.sarif
    .runs = 識別碼、識別碼開頭、標籤，或 `latest`；未指定時為最新一筆
    .all = 專案的所有執行紀錄
    .format = 未指定時依輸出檔名決定，否則為 HTML
    .output = 檔案；多頁 HTML 時為目錄；`-` 表示標準輸出

help-ask = 問模型一個問題，回答即時輸出到標準輸出
    .more = 從管線進來的內容會當成上下文交給模型。不用工具、不留對話、不改任何東西。
    .examples =
        範例：
          fwai ask "HardFault FORCED 是什麼意思？"
          arm-none-eabi-size app.elf | fwai ask "放得進 64 kB 嗎？"
          fwai ask --model gpt-5 --json "…"
    .question = 問題；未指定時以標準輸入為問題
    .system = 希望模型扮演的角色
    .no_stream = 等整個回答完成再輸出

help-policy = 說明並修改允許的範圍
help-policy-check = 說明某個 shell 指令會如何處理，以及原因
    .command = 照實際輸入的樣子寫出指令
    .mode = plan、ask、auto 或 yolo；未指定時用設定的模式
    .cwd = 在哪個目錄執行，相對於專案
help-policy-rules = 這裡適用的規則
help-policy-rules-list = 列出規則；有編號的可以移除
help-policy-rules-add = 為這個專案記住一條規則
    .verdict = allow、ask 或 deny
    .command = 指令開頭的幾個字，例如 "git push"
    .tool = 工具名稱或萬用字元樣式
    .path = 呼叫會碰到的路徑樣式
    .reason = 理由；規則生效時會顯示
help-policy-rules-remove = 忘掉一條記住的規則
    .number = 在 `fwai policy rules list` 裡的編號
help-policy-show = 這裡適用的完整政策

help-sandbox = 在沙箱裡執行指令
    .more = 專案可寫，但受保護的路徑除外；系統其他部分唯讀，機密讀不到，未經允許不能連網。不給指令時，顯示這台機器的沙箱有哪些防護。
    .mode = plan 讓一切唯讀
    .allow_network = 開放這台機器的網路
    .writable = 另外允許寫入的目錄
    .device = 允許使用的裝置節點
    .explain = 說明開放與封閉的範圍，不執行任何指令
    .command = 指令與它的參數

help-provider = 列出、檢查與選擇模型供應者
help-provider-list = 列出所有供應者、金鑰狀態與目前使用的；不連伺服器
help-provider-status = 詢問伺服器能否使用；不花 token
    .name = 目前使用的以外的供應者
help-provider-use = 為這個專案選擇供應者
    .name = 供應者；加上 --model 可一併選模型
    .user = 套用到您的所有專案
help-provider-models = 列出伺服器提供的模型與價格
    .name = 目前使用的以外的供應者
help-provider-test = 請模型回一個字並量測時間；會花少許 token
    .name = 目前使用的以外的供應者

help-security = 在檔案、暫存區與歷史中尋找機密
    .examples =
        範例：
          fwai security scan
          fwai security scan src --json
          fwai security scan --staged        放在 pre-commit hook
          fwai security scan --history --sarif -o secrets.sarif

        註解中有 `fwai:allow-secret` 的那一行會略過；config.yaml 的 `security.allow` 可列出只是看起來像機密的正規表示式。
help-security-scan = 尋找機密；只要找到，結束碼就是 1
    .path = 檔案或目錄；未指定時為目前目錄
    .staged = 檢查下一次 commit 的內容
    .history = 檢查 git 裡每個檔案的每個版本
    .gitignore = 略過 .gitignore 列出的檔案
    .everything = 連編譯產出與已安裝的套件也檢查
    .sarif = 輸出 SARIF 2.1.0
    .output = 把 JSON 或 SARIF 寫到檔案
help-security-rules = 列出規則

help-sbom = 以 CycloneDX 1.6 說明映像檔裡真正連結了什麼
    .more = 讀取映像檔的除錯資訊與連結器的 map 檔。在終端機顯示表格；加上 --json 或接到管線時輸出 SBOM 本身。在 fwai 專案中也會存成一筆執行紀錄。
    .elf = 映像檔；未指定時用最新的編譯結果
    .map = 連結器的 map 檔；未指定時在映像檔旁邊找
    .output = 把 SBOM 寫到檔案

help-flash = 把最新的編譯結果燒錄到開發板，並證明真的在上面
    .more = 必須是這個映像檔本身編譯成功才放行。能讀回的開發板會逐位元組比對，否則等韌體自己的 build-id 或開機訊息。
    .image = 映像檔；未指定時用最新的編譯結果
    .board = 開發板；未指定時用專案的

help-monitor = 監看開發板的主控台，判斷是否開機成功
    .more = 在終端機裡每個按鍵都送到開發板，Ctrl-] 離開。加上 --until、--for 或 --json 就不必有人守著。虛擬開發板會保留主控台內容，晚一點監看也看得到開機過程。
    .until = 有一行符合這個正規表示式就成功結束；可重複
    .fail = 有一行符合就失敗結束；可重複
    .time = 監看多久：500ms、10s、2m
    .send = 送一行給開發板（支援 \n、\r、\t、\xNN）；可重複
    .timestamps = 每行前面加上開始至今的秒數
    .hex = 以十六進位顯示位元組
    .log = 另外把原始位元組寫到這個檔案
    .new = 只看現在起的輸出，不看上次重置以來的
    .reset = 先重置開發板
    .elf = 用來解析位址的 ELF；未指定時用最新的編譯結果
    .board = 開發板；未指定時用專案的

help-debug = 對開發板上的韌體除錯
    .more = 不加 -c 時逐行讀取指令，直到 `quit`。ELF 必須就是開發板上執行的那一份；`decode_fault` 能把 hard fault 解釋到哪一行。
    .command = 一個除錯指令；可重複
    .elf = 含符號的 ELF；未指定時用最新的編譯結果
    .board = 開發板；未指定時用專案的
    .attach = 保持核心現狀，絕不自動重置
    .timeout = 讓目標執行的指令，時間上限
    .target_only = 只允許與目標有關的指令，碰不到這台電腦
    .other_elf = ELF 與執行中的不同也照樣除錯；行號與變數會不正確

help-board = 列出、選擇與控制開發板
    .more = 開發板是資料：內建虛擬開發板，您自己的放在 .fwai/boards/*.yaml。
help-board-list = 每塊開發板的種類、晶片與狀態
help-board-info = 一塊開發板的資料；未指定時為目前選用的
    .name = 開發板名稱
help-board-use = 選擇這個專案的開發板（project.yaml 的 target.board）
    .name = 開發板名稱
help-board-power = 開啟或關閉開發板
    .state = on 或 off
    .name = 開發板名稱；未指定時為目前選用的
help-board-reset = 重新啟動開發板上的韌體
    .name = 開發板名稱；未指定時為目前選用的

help-config = 顯示、檢查與修改設定
    .more = 由低到高：內建、使用者、專案、環境變數（FWAI_*）、旗標。
help-config-show = 印出在這裡生效的完整設定
    .origin = 說明每個值來自哪一層
help-config-get = 印出一個值
    .key = 以點分隔的鍵，例如 provider.model
help-config-set = 設定一個值；檔案的註解與順序不變
    .key = 以點分隔的鍵，例如 provider.model
    .value = 值，照 YAML 的寫法
    .user = 寫到您自己的設定，而非專案的
help-config-validate = 檢查設定檔；未指定時檢查這裡適用的全部
    .files = 要檢查的檔案
help-config-path = 印出設定檔的位置
help-config-schema = 印出某類檔案的 JSON Schema；未指定時列出有哪些
    .family = 檔案種類，例如 config

help-completions = 印出 shell 的自動補完腳本
    .more = bash：fwai completions bash > ~/.local/share/bash-completion/completions/fwai
    .shell = 哪一種 shell

help-man = 印出手冊頁，或把全部寫到一個目錄
    .pages = 存放 fwai.1、fwai-build.1 等檔案的目錄

help-run = 執行技能：一步步的流程，整體留下一份證據
    .more = 每一步都經過和代理呼叫相同的政策、權限與沙箱。不給名稱就列出技能；不是名稱的話會當成意圖來理解。
    .examples =
        範例：
          fwai run                               列出技能
          fwai run build_flash_monitor           編譯、燒錄、看它開機
          fwai run build_and_test --ci --json --watchdog 600
          fwai run size_report --input against=HEAD~1
          fwai run --explain fix_build           一步步說明會做什麼
          fwai run "build it and flash the board"
          fwai run 幫我編譯並燒錄

        技能是 .fwai/skills/（專案受信任之後）以及您自己目錄裡的 YAML 檔；
        寫法見 docs/writing-skills.md。
    .skill = 技能名稱，或能表達它的話
    .inputs = 給技能一個值；可重複
    .list = 列出技能
    .explain = 顯示各步驟，以及為何這些話指的是這個技能；不執行
    .dry_run = 檢查一切，顯示代入輸入之後的步驟；不執行
    .mode = 不經詢問可以做到什麼程度
    .watchdog = 超過這麼多秒就全部結束，結束碼 124

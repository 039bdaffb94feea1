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

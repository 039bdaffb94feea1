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

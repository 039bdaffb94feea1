# What fwai says to people, in English. Every key is in zh-TW.ftl and zh-CN.ftl too, with the same variables.
# Texts are parsed one by one: none can refer to another. Commands, keys and file names are not translated.

## Everywhere

error = error:{ " " }
warning = warning:{ " " }
next = next:{ " " }
yes = yes
no = no
unknown = unknown
bytes = { $count } bytes
files = { $count ->
    [one] { $count } file
   *[other] { $count } files
}
turns = { $count ->
    [one] turn
   *[other] turns
}
and-more = { $list } and { $count } more
wrote = wrote { $path }
kept-as-run = kept as run { $run }
untrusted-settings = this project is not trusted, so that these settings of .fwai/config.yaml have no effect: { $keys }
untrusted-settings-next = look at them, then run `fwai trust`

status-success = success
status-failure = failure
status-running = running
status-interrupted = interrupted
status-denied = denied
status-timeout = timeout

permission-wants = fwai wants to { $what }
permission-choices = Allow? [y]es once, [s]ession, [a]lways, [n]o:

## build

build-command = building: { $command }
build-more = … and { $count } more in { $file }
build-new = (new)
build-used-at = used at { $place }
build-used-in = used at { $place } in { $function }
build-up-to-date = up to date
build-done = built
build-time-limit = build stopped by its time limit
build-cancelled = build cancelled
build-failed = build failed
build-new-warnings = { " " }({ $count } new)
build-summary = { $verdict } in { $seconds } s: { $errors } errors, { $warnings } warnings{ $fresh }; run { $run }

## flash

flash-confirm = Flash this board?
flash-proven = flashed and proven by { $method }: { $detail }
flash-disproved = flashed, but the proof failed ({ $method }): { $detail }
flash-unproven = flashed; nothing proves it: { $detail }

## monitor

monitor-leave = Ctrl-] leaves
monitor-success = boot: success{ $matched }
monitor-failure = boot: failure{ $matched }
monitor-timeout = boot: nothing decisive within { $seconds } s ({ $bytes } bytes came)
monitor-no-symbols = addresses are not decoded: { $error }
monitor-defmt-unread = defmt logs are shown as bytes: { $error }
monitor-log-incomplete = the console log is incomplete: { $error }

## debug

debug-runs = { $board } runs { $elf }: { $identity }
debug-step-failed = failed: { $reason }

## board

board-kind = kind
board-chip = chip
board-state = state
board-note = note
board-chosen = this project uses board { $board }
board-running = running
board-halted = halted
board-off = off
board-crashed = crashed
board-unknown = unknown
board-absent = absent

## doctor

doctor-ok = ok
doctor-warning = warning
doctor-problem = problem
doctor-mend = mend:{ " " }

## init

init-questions = The project's files leave a few questions open; an empty answer leaves them open.
init-ask-mcu = Which microcontroller (for instance STM32F401CCU6)?
init-ask-board = Which board? A name of your own, or one of `fwai board list`
init-ask-build = Which command builds the firmware?
init-ask-flash = Which command writes it to the board? { "{" }elf{ "}" } and { "{" }port{ "}" } are filled in
init-ask-port = Which serial port has the console (for instance /dev/ttyACM0)?
init-nothing = No firmware project was recognised here.
init-guessed = guessed: { $why }
init-not-taken = not taken: { $key } { $value } of { $place }
init-kept = kept      { $key }: { $yours } is yours; the files say { $found }
init-up-to-date = Everything in .fwai is up to date.
init-wrote = Wrote { $files } in { $directory }
init-needs = Before it builds it needs { $needs }
init-documents = Documents worth adding to docs/, so that answers can cite them:
init-next = Next: fwai build
init-next-there = Next: cd { $directory } && fwai build
init-next-command = Next: set build.command in .fwai/project.yaml, or start anew with fwai init --template bare-metal DIR

## config

config-set = { $key } = { $value } in { $file }
config-checked = { $files } files checked, { $errors } errors, { $warnings } warnings
config-absent = (not there)

## policy and trust

policy-allow = allow: { $reason }
policy-ask = ask: { $reason }
policy-deny = deny: { $reason }
policy-because = because of: { $part }
policy-decided = decided by: { $rule } (mode { $mode })
policy-no-rules = no rules; "always" in a session, or `fwai policy rules add`, makes one
policy-fixed-rule = { $rule } (from a configuration or policy file)
policy-remembered = remembered: { $rule }
policy-forgotten = forgotten: { $rule }
policy-always-protected = always protected: .git, and in .fwai: policy, configuration, keys, log, runs, sessions
trust-nothing = this project holds nothing that needs trust
trust-files = These files will count:
trust-confirm = Did you read them, and do you trust them as they are now?
trust-yes = trusted
trust-no = not trusted

## sandbox

sandbox-off = the configuration says `sandbox.walls: off`: this command runs without walls
sandbox-removed = the command made { $path }, which is protected; it was removed
sandbox-walls = walls: yes
sandbox-no-walls = walls: NO, commands are refused
sandbox-namespaces = user namespaces: { $there }
sandbox-process-limit = process limit by namespace: { $there }
sandbox-bubblewrap = installed (not needed)
sandbox-no-bubblewrap = not installed (not needed)
sandbox-missing = missing: { $what }

## undo, diff, sessions

undo-nothing = nothing to undo
undo-step = before { $call }
diff-nothing = nothing was changed
sessions-none = no sessions yet; start one with `fwai` or `fwai exec`
sessions-go-on = go on with: { $command }
sessions-removed = removed { $session }

## evidence

evidence-none = no runs here yet; `fwai build` makes the first
evidence-no-difference = no difference
evidence-no-opener = no xdg-open here; open the path yourself
evidence-run = run
evidence-skill = skill
evidence-started = started
evidence-project = project
evidence-tool = tool
evidence-exit = exit { $code }
evidence-changes = changes
evidence-change = { $files } files, +{ $added } -{ $removed }, { $budget }
evidence-in-budget = within budget
evidence-over-budget = OVER BUDGET
evidence-artifact = artifact
evidence-flash = flash
evidence-proven = { $image } on { $board }, proven by { $method }
evidence-not-proven = { $image } on { $board }, not proven by { $method }
evidence-boot = boot
evidence-model = model
evidence-model-use = { $provider } { $model }: { $calls } calls, { $input } in, { $output } out{ $cost }
evidence-goal = goal
evidence-agent = agent
evidence-agent-work = { $calls } calls in { $iterations } iterations, { $stop }
evidence-claim = claim
evidence-waiver = waiver
evidence-redacted = redacted
evidence-signed-by = signed by
evidence-unsigned = nobody yet

## audit

audit-wrong = wrong
audit-cut-off = note: { $run } was cut off; the next run completes its record
audit-pending = note: { $run } is complete and gets its place in the log with the next run
audit-at-work = note: { $run } is at work
audit-note = note: { $note }
audit-runs = { $runs ->
    [one] { $runs } run
   *[other] { $runs } runs
}, log of { $records } records, signed by { $signer }
audit-no-signer = no trusted key
audit-runs-no-log = { $runs ->
    [one] { $runs } run
   *[other] { $runs } runs
}, no log
audit-no-anchor = none yet; see `fwai audit anchor`
audit-unanchored = { $count } records since the last outside anchor ({ $places })
audit-verified = verified
audit-not-verified = not verified
audit-problems = : { $count ->
    [one] { $count } problem
   *[other] { $count } problems
}
audit-no-log = nothing was logged here yet
audit-log = { $origin }  { $count } leaves  root { $root }
audit-proved = { $path }: leaf { $leaf } of { $size }, { $hashes } hashes to the signed root
audit-check-anywhere = check it anywhere: { $command }
audit-no-claims = no run claims anything
claim-fresh = fresh
claim-stale = stale
claim-unsupported = unsupported
audit-forget-confirm = Forget the checkpoints of logs that are no longer here?
audit-forgotten = { $count } forgotten
audit-anchored = { $count } records anchored in { $place }
audit-share = share it: { $command }
audit-key = key id { $id }; { $count } earlier keys
audit-rotate-confirm = Replace your signing key by a new one?
audit-rotated = { $new } replaces { $old }
audit-rotated-next = give the new key to whoever names the old one in policy.trusted_keys

## security, sbom

security-in-commit = in { $commit }
security-none = no secrets in { $files } files
security-found = { $count ->
    [one] { $count } secret
   *[other] { $count } secrets
} in { $files } files; remove them and replace what was exposed
sbom-unknown = not attributed

## models

provider-key = key set
provider-no-key = no key: set { $variable }
provider-needs-no-key = needs no key
provider-ready = ready
provider-not-ready = not ready
provider-used = provider { $name }, in { $file }
provider-used-with = provider { $name } with model { $model }, in { $file }
provider-other-model = note: provider.model was `{ $model }`; `fwai provider models` lists what { $name } offers
provider-context = context
provider-price-unknown = price unknown
provider-price = ${ $input } in, ${ $output } out a million tokens
provider-no-models = { $name } offers no models; for Ollama: ollama pull qwen3
provider-tested = { $name } { $model }: { $answer }; first word after { $first }, whole answer after { $total } ms; { $input } tokens in, { $output } out, cost { $cost }
ask-token-limit = the answer reached the limit of tokens and is not finished; raise provider.max_tokens
model-again = { $error }; trying again in { $seconds } s
model-void = what stands above is void; the answer begins again:

## demo

demo-project = A firmware project with a bug
demo-bug = It builds, it starts, and it faults before it says "boot ok".
demo-task = The agent's task
demo-live = The answers come from your own model.
demo-recorded = The model's words below are a recording; every tool runs for real.
demo-check = What anyone can check
demo-change = The agent's change:
demo-done = The bug is mended, the board boots, and every step is signed.
demo-places =
    Report:   { $report }
    Project:  { $project }
demo-look-around = Look around: cd there, then `fwai evidence list`, `fwai audit log`, `fwai undo`.

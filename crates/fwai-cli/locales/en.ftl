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
after-colon = : { $text }
wrote = wrote { $path }
output-lost = cannot write the output: { $error }
kept-as-run = kept as run { $run }
untrusted-settings = this project is not trusted, so that these settings of .fwai/config.yaml have no effect: { $keys }
untrusted-settings-next = look at them, then run `fwai trust`

status-success = success
status-failure = failure
status-running = running
status-interrupted = interrupted
status-denied = denied
status-timeout = timeout
status-skipped = skipped
status-finished = finished
change-created = created
change-modified = modified
change-deleted = deleted

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
board-kind-virtual = virtual
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
board-now = { $board }: { $state } ({ $what })
board-powered-on = power on
board-powered-off = power off
board-was-reset = reset

## memory

memory-total = total
memory-region = REGION
memory-section = SECTION
memory-symbol = SYMBOL
memory-file = FILE
memory-function = FUNCTION
memory-used = USED
memory-size = SIZE
memory-free = FREE
memory-address = ADDRESS
memory-where = WHERE
memory-stack = STACK
memory-kind = KIND
memory-change = CHANGE
memory-before = BEFORE
memory-after = AFTER
memory-against = AGAINST { $name }
memory-padding = { $count } bytes are padding
memory-more-files = … and { $count } files
memory-more-symbols = … and { $count } symbols
memory-more-functions = … and { $count } functions
memory-more-changes = … and { $count } more changes
memory-budget = budget { $name } { $limit }: { $verdict }: { $message }
memory-budget-ok = ok
memory-budget-over = OVER

## doctor

doctor-ok = ok
doctor-warning = warning
doctor-problem = problem
doctor-line = { $name }: { $detail }
doctor-mend = mend:{ " " }

## init

init-questions = The project's files leave a few questions open; an empty answer leaves them open.
init-agent = The files do not say: { $keys }. The agent looks for it in the code and asks you for the rest.
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
sandbox-none-around = walls: none around this command
sandbox-writable = can be written, the private /tmp too; everything else is read-only:
sandbox-protected = stays read-only within it:
sandbox-unreadable = cannot be read:
sandbox-devices = devices:
sandbox-nothing = nothing
sandbox-network-open = network: open
sandbox-network-off = network: none
sandbox-bounds = at most { $memory } MB of memory, { $processes } processes, { $output } MB of output, { $seconds } s of processor time

## undo, diff, sessions

undo-nothing = nothing to undo
undo-step = before { $call }
diff-nothing = nothing was changed
sessions-none = no sessions yet; start one with `fwai` or `fwai exec`
sessions-go-on = go on with: { $command }
sessions-removed = removed { $session }
transcript-session = session { $session }  { $time }  { $provider } { $model }, mode { $mode }
transcript-forked = , forked from { $session } turn { $turn }
transcript-turn = turn { $turn }
transcript-mode = mode { $from } → { $to }
transcript-plan = plan written to { $path }
transcript-shortened = conversation shortened ({ $how }): { $before } → { $after } tokens
transcript-permission = permission? { $what } ({ $reason })
transcript-resolved = permission: { $reply }
transcript-once = once
transcript-in-session = for this session
transcript-always = always
transcript-deny = denied
transcript-ended = { $why } · { $steps } steps · { $calls } tool calls

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
evidence-looks =
    { $count ->
        [one] 1 more call that changed nothing
       *[other] { $count } more calls that changed nothing
    }
evidence-changes = changes
evidence-change = { $files } files, +{ $added } -{ $removed }, { $budget }
evidence-in-budget = within budget
evidence-over-budget = OVER BUDGET
evidence-artifact = artifact
evidence-flash = flash
evidence-proven = { $image } on { $board }, proven by { $method }
evidence-not-proven = { $image } on { $board }, not proven by { $method }
evidence-boot = boot
evidence-board = board
evidence-sbom = sbom
evidence-components = { $count ->
    [one] { $count } component
   *[other] { $count } components
}
evidence-debugger = debugger
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
audit-problem = { $file }: { $what }
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
security-none = no secrets in { $files ->
    [one] { $files } file
   *[other] { $files } files
}
security-found = { $count ->
    [one] { $count } secret
   *[other] { $count } secrets
} in { $files ->
    [one] { $files } file
   *[other] { $files } files
}; remove and replace what was exposed
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

demo-intro = fwai is an AI engineer for firmware. Watch it find and mend a bug: a real compiler, a board inside QEMU, no key, no network.
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

## The interactive session

repl-greeting = Say what you want, or /help. @file attaches a file, Tab completes, Ctrl-C stops.
repl-not-set-up = This project is not set up yet: /init looks at its files.
repl-going-on = going on with { $id }
repl-going-on-about = going on with { $id }: { $title } ({ $turns ->
    [one] { $turns } turn
   *[other] { $turns } turns
})
repl-this-conversation = { $id } is this conversation
repl-going-on-copy = going on in { $copy }, a copy of { $id }
repl-ascii-only = This locale has ASCII letters only, others are shown as ?. LANG=C.UTF-8 shows them all.
repl-search = search:
attach-outside = @{ $name } lies outside the project and is not attached
attach-missing = @{ $name } is not there and is not attached; Tab completes names
attach-missing-guess = @{ $name } is not there and is not attached; did you mean @{ $guess }?
attach-no-file = @{ $name } is no file and is not attached
attach-unreadable = @{ $name } cannot be read and is not attached: { $error }
attach-too-large = @{ $name } has { $bytes } bytes, too many to attach; the agent can search it
attach-cut = @{ $name } has { $bytes } bytes; the middle is left out, { $kept } bytes are attached
attach-binary = @{ $name } is binary ({ $bytes } bytes); its size and first bytes are attached
repl-press-again = press Ctrl-C again, or type /quit, to leave
repl-nothing-asked = nothing was asked; `{ $line }` is left out
repl-interrupted = interrupted; say what to do instead
repl-thinking = thinking
repl-ctrl-c-stops = Ctrl-C stops
repl-mode = mode: { $mode }
repl-plan = plan: { $path }
repl-hint = hint: { $text }
repl-asks = asks to { $what }: { $reason }
plain-more-lines = { " " }(+{ $count } lines)
answer-prompt = Your answer{ $how }:
answer-number = { " " }(a number, or your own words)
answer-numbers = { " " }(numbers, or your own words)
repl-evidence = evidence { $run } ({ $status })
repl-shortened = conversation shortened: { $before } to { $after } tokens
repl-lines = { $count } lines
repl-more-lines = { $count } more lines
repl-no-model = no model
repl-tokens = { $count } tokens
repl-cost-unknown = cost unknown
repl-virtual = { $board } (virtual)
repl-say = say:
repl-once = yes, once
repl-session = for this session
repl-always = always (writes a rule)
repl-no = no
repl-instead = no, and say what instead
repl-approve = approve and carry it out
repl-keep-planning = keep planning
repl-change-plan = say what to change
repl-choose = choose
repl-done = done
repl-enter-sends = sends
repl-esc-back = goes back
repl-own-words = in your own words
repl-no-answer = no answer
repl-terminal-gone = the terminal is gone
repl-session-ended = the session has ended
repl-no-call = no call has been made yet
repl-calls-range = there are calls 1 to { $last }
repl-pager-keys = space, b, g, G move   q leaves
repl-no-conversation = there is no conversation yet
repl-shortening = shortening the conversation
repl-cost-read = read
repl-cost-cached = of it cached
repl-cost-written = written
repl-cost-calls = tool calls
repl-cost-cost = cost
repl-no-todos = no todos
repl-explorer = looks around without changing anything (built in)
repl-agents-where = Agents are files in .fwai/agents/*.yaml, once the project is trusted (/trust).
repl-export-exists = { $file } is already there; name another file
repl-new = a new conversation
repl-new-back = a new conversation; /resume { $id } goes back
repl-model-is = model: { $model }
repl-model-how = /model NAME or /model PROVIDER/NAME changes it here, /model list shows what is offered; /config set provider.model NAME keeps it
repl-model-one-word = a model is one word
repl-unknown-command = there is no /{ $name }
repl-unknown-command-guess = there is no /{ $name }; did you mean /{ $guess }?
repl-open-list = all calls with their numbers
repl-newest-session = the newest one
repl-no-model-yet = No model is set up yet: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or start Ollama. /demo shows fwai at work without one.
repl-open-quote = a quote is not closed
repl-help-rest = Anything else is said to the agent. @path attaches a file. Alt-Enter, or \ at the end, starts a new line.
repl-help-working = While it works: what you type waits, Up takes it back, Esc or Ctrl-C stops, Ctrl-O opens the last call.
repl-group-conversation = Conversation
repl-group-firmware = Firmware
repl-group-agents = Agents and skills
repl-group-done = What was done
repl-group-settings = Settings
repl-group-and = And
slash-help = What can be said here
slash-mode = How much may be done without asking
slash-plan = Only read, and write a plan
slash-act = Carry things out
slash-model = Show or change the model
slash-todos = What the agent still has to do
slash-agents = Agents that tasks can be given to
slash-agent = Give a task to an agent
slash-skills = Workflows that can be run
slash-open = The whole output of a call (Ctrl-O)
slash-new = Start a new conversation
slash-resume = Go on with an earlier session
slash-fork = Go on in a copy of this session
slash-sessions = Earlier sessions of this project
slash-compact = Shorten the conversation now
slash-cost = Tokens and money so far
slash-undo = Take back what the agent changed
slash-export = The conversation as Markdown, or runs as HTML, CSV, SARIF, JSON
slash-init = Set up this project
slash-run = Run a skill in this conversation
slash-quit = Leave (Ctrl-D)

## What errors and libraries say, recognised by these very words

said-not-a-directory = { $path } is not a directory
said-no-current-directory = the current directory cannot be used: { $error }
said-no-current-directory-next = cd to a directory that exists
said-needs-yes = needs a yes: { $question }
said-no-answer = no answer to: { $question }
said-needs-yes-next = run again with --yes, or in a terminal
said-answer-unreadable = cannot read the answer: { $error }
said-set-assignment = --set { $assignment }: write KEY=VALUE
said-cannot-be-written = { $path } cannot be written: { $error }
said-other-output = name another file with --output
said-stdin-unreadable = cannot read standard input: { $error }
said-no-question = no question given
said-stdin-large = standard input is larger than { $size } kB, more than a question should carry
said-stdin-large-next = pass a part of it, for instance through `tail`
said-model-wants-tool = the model asked for a tool; `fwai exec` has tools, `fwai ask` has none
said-model-refused = { $provider }: the model refused to answer
said-model-stopped = { $provider }: the model stopped: { $reason }
said-model-silent = the model answered, but not in words
said-answer-cut = what was printed is not the whole answer; ask again
said-check-key = check the key; fwai provider list shows where it comes from
said-no-run = no run is called `{ $name }`
said-no-witness = no witness is configured
said-nothing-to-anchor = nothing was logged here yet, so there is nothing to anchor
said-evidence-wrong-at = the evidence does not verify: { $file }: { $what }
said-evidence-wrong = the evidence does not verify
said-witness-failed = the witness { $name }: { $why }
said-set-build-command = run `fwai init`, or set build.command in .fwai/project.yaml
said-key-not-set = `{ $key }` is not set
said-no-schema-guess = no schema is called `{ $name }`; did you mean `{ $guess }`?
said-no-schema = no schema is called `{ $name }`
said-one-of = one of { $names }
said-commands-unreadable = cannot read commands: { $error }
said-agent-unfinished = the agent did not finish: { $reason }
said-no-first-commit = git cannot make the demo's first commit: { $why }
said-other-dir = name another with --dir
said-template-changed = the template of { $path } has changed; the demo does not fit it
said-not-empty = { $path } is not empty
said-not-a-run-file = { $file } is not a file of a run
said-needs-person = needs a person: { $what }
said-needs-answer-next = run it in a terminal, say it in the task, or give --yes, which takes the first choice
said-needs-plan-next = read the plan, then carry it out: fwai exec --resume last --mode auto "carry out the plan"
said-needs-person-next = run it in a terminal, add a rule (`fwai policy rules`), or give --yes or --mode yolo
said-task-binary = the task on standard input is not text
said-task-long = the task on standard input has { $size } bytes; the model can take about { $limit }
said-task-in-words = give the task in words: fwai exec "what to do" < FILE
said-max-cost = --max-cost takes an amount above 0, in US dollars
said-schema-next = ask for less at once, loosen the schema, or take another model
said-schema-object = it must be a JSON object
said-plan-approve = Do you approve this plan?
said-plan-execute = Approve and execute
said-plan-keep = Keep planning
said-plan-files = Files that this plan will touch
said-plan-no-files = The plan names no files.
said-no-task = no task given
said-watchdog = stopped after { $seconds } s by the watchdog
said-answer-schema = the answer does not fit the schema: { $why }
said-answer-not-json = the answer is not JSON: { $error }
said-unfinished = the task was not finished ({ $reason })
said-board-left = the board was left alone
said-files-do-not-say = the project's files do not say: { $keys }
said-init-open = run `fwai init` in a terminal, or `fwai init --yes` to leave it open
said-manual-unwritable = cannot write the manual: { $error }
said-budget-form = --budget { $budget }: write REGION=LIMIT, for instance flash=90%
said-no-rule = there is no remembered rule { $number }
said-no-provider-guess = no provider is called `{ $name }`; did you mean `{ $guess }`?
said-no-provider = no provider is called `{ $name }`
said-cannot-wait = cannot wait for the command: { $error }
said-output-limit = the command wrote more than { $size } MB and was ended
said-output-limit-next = raise sandbox.output_mb, or write into a file
said-no-image = no image is known
said-no-image-next = name an ELF, set build.elf in .fwai/project.yaml, or run `fwai build`
said-trust-unkept = cannot keep the trust: { $error }
said-not-trusted = not trusted
said-nothing-to-undo = nothing to undo
said-no-step-list = there is no step { $number }; the steps are { $steps }
said-no-step = there is no step { $number }
said-step-changed-nothing = step { $number } had changed nothing
said-undo-left = left as they are, since they were changed afterwards: { $files }
said-restored = restored { $count } files to before step { $number }: { $files }
said-input-unreadable = cannot read the input: { $error }
said-agents-list = /agents lists the names
said-no-agent-guess = there is no agent `{ $name }`; did you mean `{ $guess }`?
said-no-agent = there is no agent `{ $name }`
said-agent-form = write /agent NAME TASK
said-export-alone = /export alone exports the latest run
said-fork-form = `{ $number }` is not the number of a turn
said-fork-next = /fork copies all of it, /fork 2 its first two turns; /sessions show last lists the turns
said-modes = plan, ask, auto or yolo
said-no-mode-guess = there is no mode `{ $name }`; did you mean `{ $guess }`?
said-no-mode = there is no mode `{ $name }`
said-one-word = a model is one word
said-open-form = write /open, /open N or /open list
said-quote = a quote is not closed
said-sessions-list = /sessions lists them
said-no-other-session = there is no other session here yet
said-session-ended = the session has ended
said-name-a-skill = name a skill
said-input-form = --input { $text }: write KEY=VALUE
said-input-twice = --input { $key } is given twice
said-skill-needs-model = the skill { $skill } needs a model for: { $steps }. { $why }
said-skill-needs-model-next = `fwai provider list` shows how to set one; nothing was started
said-negated = “{ $words }” says what not to do; no skill was run
said-skill-folder = `{ $name }` is a SKILL.md: instructions for the agent, not a workflow of steps
said-skill-untrusted = the skill `{ $name }` belongs to this project, which is not trusted yet
said-look-then-trust = look at .fwai/, then run `fwai trust`
said-no-skill-guess = there is no skill `{ $name }`, and the words mean none; did you mean `{ $guess }`?
said-no-skill = there is no skill `{ $name }`, and the words mean none
said-nothing-run = nothing was run
said-name-the-skill = name the skill
said-doctor-configuration = configuration
said-doctor-project = project
said-doctor-policy = policy
said-doctor-namespaces = user namespaces
said-doctor-sandbox = sandbox
said-doctor-ports = serial ports
said-doctor-port = serial port { $port }
said-doctor-probes = debug probes
said-doctor-probe = probe { $name }
said-doctor-key = key of { $name }
said-doctor-provider = provider
said-doctor-online = provider online
said-doctor-disk = disk space
said-doctor-temporary = temporary space
said-doctor-valid = valid
said-doctor-no-project = no .fwai/project.yaml here
said-doctor-may = this user may make them
said-doctor-may-not = this user may not make them
said-doctor-filters = filters are available
said-doctor-no-filters = the kernel has no filters
said-doctor-kernel-none = the kernel has none
said-doctor-installed = installed
said-doctor-walls-off = switched off in the configuration; every run records that
said-doctor-walls = commands run behind walls
said-doctor-refused = commands are refused; missing: { $missing }
said-doctor-mend-above = mend the lines above
said-doctor-boards = { $version }; virtual boards: { $names }
said-doctor-qemu = not installed; virtual boards need it
said-doctor-none-probe = none connected; virtual boards need none
said-doctor-none = none connected
said-doctor-port-ok = readable and writable
said-doctor-port-denied = this user may not use it; it belongs to the group { $group }
said-doctor-port-fix = sudo usermod -aG { $group } "$USER", then log in again
said-doctor-set = { $variable } is set
said-doctor-not-set = { $variable } is not set
said-doctor-no-key = { $name } has no key
said-doctor-model = { $name } with { $model } at { $address }
said-doctor-no-provider = none is chosen and no key is set; a running Ollama would be used
said-doctor-provider-fix = export { $variable }=…, or fwai provider use ollama
said-doctor-free = { $size } MB free in { $path }
said-doctor-needs = not installed; this project needs it for { $purpose }
said-doctor-needed = not installed; needed for { $purpose }
said-doctor-answers = { $name } answers: { $detail }
said-doctor-no-answer = no answer within 10 seconds

# fwai run
run-understood = understood as the skill { $skill }
run-table-step = step
run-table-status = status
run-table-time = time
run-table-tries = tries
run-table-evidence = evidence
run-verdict = { $skill }: { $status } in { $seconds } s
run-verdict-run = ; run { $run }
run-instructions = (instructions for the agent)
run-untrusted = not trusted yet, so left out: { $skills }
run-untrusted-next = next: look at .fwai/skills, then run `fwai trust`
exec-input-binary = standard input is binary ({ $bytes } bytes): the model is told so and sees its first bytes
exec-input-cut = standard input has { $bytes } bytes; the middle is left out, the model gets about { $kept }
exec-price-unknown = the price of { $model } is not known, so that --max-cost cannot be held; set provider.models.{ $model }.input and .output (US dollars per million tokens)
run-summary-lost = the summary for the CI system could not be written: { $error }
run-model-unsure = the model could not say which skill is meant: { $error }
run-ask-one = “{ $words }”: run the skill { $skill }?
run-ask-which = Which one? [number]
intent-read = “{ $words }” read as “{ $core }”
intent-says-no = “{ $word }” says no: words with a no run nothing
intent-asks-or-tells = “{ $word }” makes it a question or a story: those are answered, not carried out
intent-runs = so { $skill } runs (decided by { $layer })
intent-asks = so fwai asks first: { $skills }
intent-chat = so it is talk, for the agent
explain-skill = { $name }: { $about }
explain-from = from { $file }
explain-input = input { $name }{ $value }
explain-when = when
explain-fails = if it fails
explain-limits = limits
explain-line = { $title }: { $text }
step-line = step { $name }
step-line-kind = step { $name } ({ $kind })
step-retry = { $name }: { $reason }; try { $attempt } in { $seconds } s
step-left-out = { $name } left out ({ $why })
step-ended = step { $name }: { $status }
step-tries = , { $count } tries
said-explain-tool-unknown = tool { $tool } (unknown)
said-explain-tool = tool { $tool }
said-explain-evidence = puts the evidence of the steps together
said-explain-analyze = asks the model about { $input }: { $prompt }
said-explain-agentic = lets the agent { $agent } work on: { $goal }
said-explain-abort = the skill ends
said-explain-once-more = once more, then the skill ends
said-explain-goes-on = it goes on, and the skill has failed
said-explain-ignore = it goes on as if nothing had happened
said-explain-tries = { $count } tries more, the first after { $wait } s
said-explain-limit = { $seconds } s a try
said-without-model = `{ $command }` does it without a model
said-step-left-out = { $name } was left out: { $why }
said-intent-name-question = these are its name or one of its triggers, but as a question
said-intent-name = these are its name or one of its triggers
said-intent-trigger-but = has the trigger “{ $trigger }”, but { $doubt }
said-intent-trigger-beside = has the trigger “{ $trigger }” beside { $count } other words
said-intent-trigger = has the trigger “{ $trigger }”
said-intent-speaks-but = speaks of { $words }, but { $doubt }
said-intent-speaks-beside = speaks of { $words } beside { $count } other words
said-intent-speaks = speaks of { $words }
said-intent-no = it says no
said-intent-question = it is a question or a story
said-intent-writes = it writes to a board, and nobody spoke of that
said-intent-slip = “{ $said }” may mean { $meant }
said-intent-model = the model: { $why }
run-words-meant = → the skill { $skill }
run-words-may = These words may mean a skill.
run-words-skill = run { $skill }
run-words-agent = let the agent do it
run-words-neither = neither
said-demo-all-exist = { $path } and all like it exist
said-git-cannot-start = git cannot start: { $error }
said-demo-name-a-place = name a place with --dir
said-apt-install = sudo apt install { $packages }
said-demo-needs = the demo needs programs that are not installed: { $names }
said-demo-stops = the recording stops here: { $tool } { $ended } on this machine and { $recorded } when it was recorded
said-demo-lacks = `fwai doctor` says what this machine lacks; the project is { $project }
said-demo-on-record = what was done so far is on record in { $project }: fwai evidence list
said-demo-live = set a key or start Ollama (`fwai provider list`), or run `fwai demo` without --live
said-run-has-no-file = run { $run } has no { $file }
said-run-or-exec = fwai run --list, or let the agent do it: fwai exec "…"
said-doctor-bubblewrap-there = installed, and not needed: fwai puts up its own walls
said-doctor-bubblewrap-absent = not installed, and not needed: fwai puts up its own walls
said-doctor-bounds = bounds
said-doctor-bounded = processes and memory of a command are bounded over its whole tree
said-doctor-bounded-memory = memory of a command is bounded over its whole tree; processes by the user's limit (by namespace from Linux 6.14 on)

## What a permission is asked for, and why

may-run-open = run `{ $command }` in the sandbox, with the network open
may-run = run `{ $command }` in the sandbox
may-write = write { $path }
may-change = change { $path }
may-fetch = fetch { $url }
may-flash = write the built image to the board
may-reset = restart the board
may-erase = erase the board's memory
may-fuse = burn fuses, which nothing can undo
may-use = use { $tool } { $arguments }
may-since-reads = only reads
may-since-network = opens a network connection
may-since-environment = its environment changes which programs run
may-since-program = `{ $name }` is a program that fwai does not know; the sandbox bounds it
may-since-known-later = changes `{ $path }`, which is known only when it runs
may-since-outside-change = changes { $path }, which is outside the project
may-since-outside-read = reads { $path }, which is outside the project
may-since-outside = { $path } is outside the project
may-since-files = changes files of the project
may-since-in-place = edits files in place
may-since-restorable = changes what undo can restore
may-since-written = writes { $path }, which undo can restore
may-since-secrets = { $path } holds secrets
may-since-contacts = contacts { $host }
may-since-tool-runs = { $tool } runs programs
may-since-tool-network = { $tool } uses the network
may-since-virtual = a virtual board forgets everything
may-since-board-reset = restarts the board
may-since-board-flash = writes to the board
may-since-board-erase = erases the board
may-since-board-fuse = burns fuses, which nothing undoes
may-since-plan = plan mode only reads: { $why }
may-since-unknown = fwai cannot tell what it does: { $why }
may-since-no-walls = { $why }; there is no sandbox around it
may-since-blocked = policy blocks the tool { $tool }
said-flash-board = Flash { $kind } board { $name } ({ $title })
said-flash-image = image    { $path }
said-flash-size = size     { $count } bytes
said-flash-region = region   { $name }: { $used } of { $length } bytes at { $origin } ({ $percent } %)
said-proof-equal = { $count } bytes read back and equal to { $path }
said-own-directory = your own directory
may-since-talks = `git { $command }` talks to another machine

# Rarer sentences of libraries. The last one fits whatever has a place before its words.
said-document-unknown-in = unknown key `{ $key }` in `{ $path }`
said-document-unknown = unknown key `{ $key }`
said-document-choice = `{ $path }` cannot be `{ $text }`
said-document-range = `{ $path }` is out of range
said-document-needs = `{ $place }` needs the key `{ $required }`
said-document-itself = the document needs the key `{ $required }`
said-document-type = { $subject } must be { $wanted }, but this is { $found }
said-document-variable = the environment variable { $name } is not set
said-document-single = only one YAML document is allowed in a file
said-document-allowed = allowed: { $words }
said-turn-limit = The turn was stopped at { $limit }; say `continue` to go on.
said-turn-calls = the limit of { $count } model calls in one turn
said-turn-tokens = the limit of { $most } output tokens in one turn
said-turn-cost = the limit of ${ $most } in one turn
said-turn-stuck = The turn was stopped: the model keeps repeating a call that fails.
said-turn-cut = The answer was cut at the model's output limit; say `continue` for the rest.
said-turn-window = the conversation is longer than the model's window and cannot be shortened
said-hint-new-session = start a new session, or set `provider.context_window`
said-hint-doctor = `fwai doctor` checks the connection
said-hint-wait = wait a little and say `continue`
said-demo-hint = `fwai demo` shows fwai at work without key, board or network
said-guess-directory = the directory is called so
said-datasheet-any = datasheet of the microcontroller
said-errata-any = errata sheet of the microcontroller
said-reference-any = reference manual of the microcontroller
said-schematic-any = schematic of the board
said-schematic = schematic of the board { $board }
said-datasheet = datasheet of the { $chip }
said-errata = errata sheet of the { $chip }
said-doctor-usual = its usual model
said-doctor-silent = { $path } does not answer `{ $argument }`
said-sandbox-ended = the command was ended: { $why }
said-sandbox-do-less = raise that setting, or make the command do less
said-anywhere = { $place }: { $words }

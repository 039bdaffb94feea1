# What libraries say, in English: sentences that are recognised by their words, since they come without a key
# (in the events of a session, in evidence, as part of another sentence). The programs that write them speak
# English alone; a test sees to it that each still stands in their source.

## init

said-guess-no-rtos = no operating system was found
said-guess-baud = the usual speed; nothing states another
said-guess-openocd = how OpenOCD reaches a chip of this family with { $interface }
said-reference = reference manual of the { $chip }
said-reference-named = { $name } reference manual ({ $chip })
said-programming-named = { $name } programming manual ({ $chip })
said-need-freertos = the FreeRTOS kernel in third_party/FreeRTOS-Kernel ({ $command })
said-need-arduino = the Arduino core in ~/.arduino15/packages/arduino/hardware/avr ({ $command })
said-name-empty = it is empty
said-name-long = it is longer than 60 characters
said-name-letter = it does not start with a letter
said-name-other = it holds other characters
said-name-cmake = CMake keeps this word for itself
said-next-space = free some space (`df -h .`), then run `fwai init` again
said-next-writable = make the directory writable (`ls -ld .`), then run `fwai init` again
said-next-doctor = run `fwai doctor`, then `fwai init` again

## documents: configuration, project, policy, boards

said-did-you-mean = did you mean `{ $guess }`?
said-did-you-mean-after = ; did you mean `{ $guess }`?
said-kind-boolean-wanted = true or false
said-kind-boolean = a boolean
said-kind-integer = an integer
said-kind-number = a number
said-kind-string = a string
said-kind-list = a list
said-kind-mapping = a mapping
said-kind-other = a value of another kind
said-kind-document = the document
said-range-between = allowed: { $low } to { $high }
said-range-least = allowed: { $low } or more
said-range-most = allowed: { $high } or less
said-document-deep = the document is nested too deeply or is too large
said-document-twice = the key `{ $key }` stands twice
said-document-alias = this alias names an anchor that encloses it or does not exist
said-document-value = a value was expected here
said-document-key-plain = a key must be a plain word
said-document-yaml = not valid YAML: { $why }
said-document-variable-next = set it, or give a default: { $variable }; `$$` is a dollar sign
said-environment-unknown = the environment variable { $name } means nothing to fwai{ $guess }

## what the command line is given

said-template-one-of = choose one of { $names }
said-time-unit = `{ $unit }` is no unit; use ms, s, m or h
said-language-one-of = say en, zh-TW or zh-CN
said-number-digit = invalid digit found in string
said-number-empty = cannot parse integer from empty string
said-number-large = number too large to fit in target type
said-number-small = number too small to fit in target type
said-number-float = invalid float literal

## audit verify

said-verify-no-id = { $run } is not a run id
said-verify-key-name = is not the key that its name says
said-verify-no-run = there is no such run
said-verify-no-proof = no proof leads from leaf { $index } to the checkpoint
said-verify-checkpoint-missing = is missing, though the log has entries
said-verify-foreign = is signed but not in the log: it was added from elsewhere, or the log was cut
said-verify-sign-off = is not signed (`evidence.sign` was off), so nothing vouches for it
said-verify-claims-running = says that it runs, but no process and no marker belongs to it
said-verify-neither = is neither signed nor in the log
said-verify-unreadable = cannot be read
said-verify-unreadable-why = cannot be read: { $error }
said-verify-neither-trusted = is neither in the log nor signed by any trusted key
said-verify-replaced = is signed by { $key }, which the log says was replaced
said-verify-untrusted = is not signed by any trusted key: it was changed, or its key is unknown here
said-verify-anchor-ignored = an anchor in { $place } is signed by no trusted key and was ignored
said-verify-cut = the log was cut or rolled back: it has { $size } records, the anchor in { $place } shows { $known }
said-verify-rewritten = the log was rewritten: its first { $count } records are not those that the anchor in { $place } shows
said-verify-incomparable = cannot be compared with the anchor in { $place }: { $error }
said-verify-log-replaced = the log was replaced: the anchor in { $place } shows { $origin }
said-verify-log-gone = the log is gone: the anchor in { $place } shows { $count } records
said-verify-missing-leaf = is missing, but leaf { $index } of the log states it
said-verify-differs-leaf = differs from the statement at leaf { $index } of the log
said-verify-no-statement = is not a statement about a run
said-verify-outside = is stated, but lies outside the run
said-verify-changed = was changed after it was signed
said-verify-added = was added after the run was signed
said-verify-empty = has no evidence in it
said-verify-own-signature = its own signature does not hold
said-verify-key-untrusted = is signed by { $key }, which is not trusted here
said-verify-says-else = says something else than its signed statement
said-verify-other-run = belongs to another run
said-verify-lengths = is cut off, or its lengths were changed
said-verify-more-entries = holds more than its entries
said-verify-entry = entry { $index } does not match its hash in the tree
said-verify-entry-what = entry { $index }: { $what }
said-verify-not-statement = not a statement: { $error }
said-verify-replaced-at = is signed by { $key }, which was replaced at leaf { $index }
said-verify-name-key = is not signed by any trusted key; name its key in `policy.trusted_keys` if you trust it
said-verify-more-hashes = holds more than its hashes
said-verify-hashes-below = differs from the hashes below it
said-verify-other-root = states another root than the { $count } entries of the log have
said-verify-two = two statements speak of the same run
said-claim-gone = { $file } is gone
said-claim-unreadable = { $file } cannot be read: { $error }
said-claim-run-ended = run { $run } ended with { $status }
said-claim-run-gone = run { $run } is not here

## sessions, hooks, the gate

said-turn-unfinished = the session ended in the middle of a turn; it goes on from there
said-answer-unasked = an answer came to a question that nobody asked
said-too-short = the conversation is too short to be shortened
said-no-summary = no summary from the model ({ $error }); older messages are cut instead
said-try-again = { $error }; try { $attempt } in { $seconds } s
said-stream-end = the stream ended without an end
said-turn-no-evidence = this turn leaves no evidence: { $why }
said-turn-evidence-incomplete = the evidence of this turn is incomplete: { $why }
said-evidence-incomplete = the evidence is incomplete: { $why }
said-evidence-off = evidence is switched off
said-hook = hook `{ $command }`: { $why }
said-hook-denies = the hook `{ $command }` denies it: { $reason }
said-hook-slow = no answer within { $seconds } s
said-hook-status = ended with { $status }: { $words }
said-no-reason = no reason given
said-plan-walls = plan mode runs commands only inside a sandbox, and `sandbox.walls` is off
said-log-space = free some space or check the disk, then resume the session
said-log-earlier = { $path }: an earlier event could not be written
said-agent-rules = the agent's own path rules cannot be read: { $why }
said-org-none = `org_policy.required` is set, but no source is
said-org-no-file = there is no such file
said-org-status = { $url } answers with status { $status }
said-witness-refuses = it refuses: { $words }
said-witness-answers = it answers { $status }: { $words }
said-witness-disagrees = it does not agree on what it has seen
said-scan-large = { $name }: larger than { $size } MB, not scanned
said-key-file-ordinary = not an ordinary file

## skills

said-step-person = a person was needed before
said-step-no-model = no model is set
said-step-slow = the step { $name } took too long
said-step-denied = the step { $name } was denied
said-step-interrupted = the step { $name } was interrupted
said-step-failed = the step { $name } failed
said-step-ended-as = the step { $name } ended as { $status }
said-step-no-tool = there is no tool `{ $name }`
said-step-no-answer = the model gave no answer
said-step-answer-cut = the model's answer was cut off
said-step-no-action = the step names neither a tool nor an action
said-skill-no-input = the skill `{ $skill }` has no input `{ $input }`; it has: { $inputs }{ $guess }
said-skill-needs-input = the skill `{ $skill }` needs the input `{ $input }`{ $about }; give --input { $again }=VALUE
said-skill-none = there is no skill `{ $name }`
said-workflow-none = there is no workflow `{ $name }`; there are: { $names }
said-skill-when = when { $condition }

## boards

said-board-power = switch power
said-board-reached = be reached
said-board-openocd-power = OpenOCD has no power switch; use the supply's
said-board-no-command-button = no command for it is known; press its button
said-board-no-command = no command for it is known
said-board-flash-command = set `flash.command` in .fwai/project.yaml, for instance `{ $command }`
said-board-server = set `debug.server_port` (and `debug.server_command`) in .fwai/project.yaml
said-board-dtr = its port has no DTR and RTS lines; press its button
said-board-serial-power = a serial port has no power switch
said-board-probe-power = a debug probe has no power switch
said-board-no-probe-rs = this fwai was built without probe-rs; build it with `--features probe-rs`, or describe the board with kind openocd
said-board-qemu-ended = QEMU of board { $board } ended ({ $why }); `fwai board power on` starts it again
said-board-said-nothing = it said nothing
said-board-said-nothing-doctor = it said nothing; run `fwai doctor`
said-board-console-full = { $path } is full; `fwai board reset` starts a new one
said-board-deaf = the firmware does not take what is sent (or another monitor is connected)
said-board-not-installed = { $program } is not installed
said-board-locked = { $path } is locked
said-board-not-ended = its QEMU (process { $pid }) cannot be ended
said-board-file-lock = cannot lock
said-board-file-use = cannot use
said-board-file-create = cannot create
said-board-file-remove = cannot remove
said-board-file-look = cannot look at
said-board-file-connect = cannot connect to
said-board-file-aside = cannot move aside
said-board-file-read = cannot read
said-board-file-write = cannot write
said-board-port-gone = { $path } does not exist
said-board-no-probe = no debug probe is connected
said-board-console-closed = the console was closed
said-board-port-vanished = the port vanished ({ $error })
said-board-flash-ended = the flash command { $how }
said-proof-no-readback = the flash command ended with code 0; it cannot read back
said-proof-nothing = the back end cannot read back, the image has no build-id and the project no boot patterns
said-proof-no-console = no console to listen to: { $error }
said-proof-build-id = the firmware printed its build-id { $id }
said-proof-other-id = the firmware printed build-id { $other }, the image is { $id }: another image runs
said-proof-printed = the firmware printed `{ $line }`
said-proof-silent = the firmware printed neither its build-id nor a boot banner within { $seconds } s
said-proof-short = only { $count } of { $length } bytes at { $address } could be read
said-proof-differ = { $count } bytes differ, the first at { $address }: image { $image }, board { $board }
said-image-large = { $size } bytes are more than any board here holds
said-image-magic = it does not begin with the ELF magic
said-image-cut = a load segment lies outside the file; it may be cut off
said-image-outside = { $size } bytes at { $range } lie outside its memory ({ $memory })
said-elf-regular = it is not a regular file
said-identity = { $id }, { $count } bytes at { $address }
said-title-own = { $name }, as project.yaml describes it
said-title-virtual = { $name } (virtual)
said-title-virtual-chip = { $name } (virtual), { $chip }

## doctor

said-doctor-for-git = history and undo
said-doctor-for-arm = compiling for Arm Cortex-M
said-doctor-for-gdb = debugging
said-doctor-for-cmake = CMake projects
said-doctor-for-ninja = CMake and Meson projects
said-doctor-for-make = Makefile projects
said-doctor-for-probe = flashing and debugging through a probe
said-doctor-for-avr = compiling for AVR
said-doctor-for-avrdude = flashing AVR
said-doctor-for-esp-riscv = compiling for RISC-V ESP32
said-doctor-for-esp = compiling for ESP32
said-doctor-for-riscv = compiling for RISC-V
said-doctor-for-flash-probe = flashing through a probe
said-doctor-for-meson = Meson projects
said-doctor-for-zephyr = Zephyr projects
said-doctor-for-scons = SCons projects
said-doctor-for-stlink = flashing through an ST-Link
said-doctor-for-usb = flashing over USB
said-doctor-for-esptool = flashing ESP chips
said-doctor-disk-unknown = cannot be told for { $path }: { $error }
said-doctor-disk-fix = free some space: { $command }
said-doctor-landlock-fix = use Linux 5.13 or later with `landlock` among lsm= (cat /sys/kernel/security/lsm)
said-doctor-seccomp-fix = use a kernel with CONFIG_SECCOMP_FILTER
said-doctor-broke = this examination broke off
said-doctor-report = report it with `fwai doctor -vv`
said-doctor-udev = { $command }, then plug it in again
said-doctor-probe-denied = { $detail }; this user may not open { $node }
said-doctor-board-file = mend the board file
said-doctor-machines = { $version }; does not list its machines
said-doctor-old = { $version }; too old for the virtual boards { $names }
said-doctor-no-chip = no chip named

## the boards that fwai knows

said-limit-real-time = The core runs as fast as the host allows; delays in loops are not real time.
said-limit-vldiscovery = Only the USARTs and SPI are simulated; RCC, GPIO, ADC, DMA and most timers read as zero and ignore writes.
said-limit-netduino = USARTs, SPI, ADC, timers 2 to 5, SYSCFG and EXTI are simulated; RCC and GPIO read as zero and ignore writes; there is no CCM RAM.
said-limit-mps2 = UARTs, timers, watchdog, Ethernet and the SCC are simulated; audio, touch screen and the LCD are not.
said-limit-microbit = UART, GPIO, RNG, timers and the flash controller are simulated; the radio, ADC, SPI and the sensors are not.
said-limit-microbit-faults = Cortex-M0 has no CFSR, HFSR, MMFAR or BFAR; faults are explained from the stacked frame alone.
said-limit-lm3s = UARTs, GPIO, SSI, I2C, ADC, general timers, watchdog, Ethernet and the OLED are simulated; PWM, comparators and quadrature inputs are not.

## agents that fwai brings along

said-agent-explorer = Reads and searches; changes nothing
said-agent-general = Does a job of its own
said-step-never = never began

## budgets

said-budget-grew = `{ $symbol }` grew by { $used } bytes ({ $before } to { $after }); { $limit } are allowed
said-budget-none-grew = no symbol grew
said-budget-used = { $regions }: { $used } of { $length } bytes used ({ $percent }%), { $limit } are allowed
said-budget-no-region = no region `{ $name }`; this image has { $known }

## what the program itself puts together

said-asked-permission = permission to { $what } ({ $reason })
said-asked-answer = an answer to: { $words }
said-time-form = `{ $text }` is no duration; write 500ms, 10s, 2m or 1h
said-time-long = `{ $text }` is too long
said-turn-failed = the turn failed
said-skill-failed = the skill failed
said-demo-still = the board does not say "boot ok": the bug is still there
said-answer-near = did you mean { $near }?
said-answer-one-line = { $key } needs a value of one line
said-mode-one-of = say plan, ask, auto or yolo
said-verdict-one-of = say allow, ask or deny
said-words-several = “{ $words }” may mean { $several }
said-changes-many = { $files } files and { $lines } lines are changed
said-file-kind = its name and folder do not say what kind of file it is
said-recording-end = the recording is at its end
said-nothing-else = nothing else

## why something is allowed, asked or denied

may-since-not-allowed-tool = { $tool } is not among the tools that policy allows
may-since-no-command = there is no command in it
may-since-rule = a rule of yours { $verdict }
may-since-rule-allows = allows it
may-since-rule-asks = wants a question first
may-since-rule-forbids = forbids it
may-since-always = you answered "always"
may-since-protected = { $path } is protected: { $what }
may-since-protected-by = { $path } is protected by `{ $pattern }`
may-since-not-among = { $path } is not among the allowed paths
may-since-git-files = git's own files can run programs
may-since-fwai-directory = fwai's own directory
may-since-fwai-records = fwai's policy, keys and records
may-since-asks-network = it asks for the network; { $why }
may-since-hook = the hook `{ $command }` denies it: { $reason }
may-since-agent-outside = { $path } is outside the project; this agent must not write it
may-since-agent-protected = { $path } is protected from this agent
may-since-agent-only = this agent may only write { $paths }; { $path } is not among them
may-since-git-unknown = `git` without a known subcommand
may-since-git-options = git options that choose another repository, configuration or program
may-since-git-writes = `git { $command }` with an option that writes or runs something
may-since-git-later = `git { $command }` with words that are not known yet
may-since-git-reads = git only reads here
may-since-git-lists = lists only
may-since-git-branch = deletes or moves a branch
may-since-git-tag = deletes or moves a tag
may-since-git-remotes = lists the remotes
may-since-git-asks = asks the remote
may-since-git-pushes = changes where git pushes and pulls
may-since-git-config-reads = reads git's configuration
may-since-git-config-changes = changes git's configuration, which can run programs
may-since-git-stash-drop = throws stashed work away
may-since-git-stash = moves changes into the stash
may-since-git-discard = throws away changes that are not committed
may-since-git-clean-dry = only says what it would remove
may-since-git-clean = removes files that git does not know
may-since-git-history = rewrites or discards history
may-since-git-each = runs a command for each commit
may-since-git-amend = replaces the last commit; the reflog keeps the old one
may-since-git-restorable = changes what git and undo can restore
may-since-git-init = makes a repository
may-since-git-alias = `git { $command }` is not known; it may be an alias or a program of its own
may-since-more-than-reading = `{ $word }` makes it more than reading
may-since-words-later = some of its words are known only when it runs
may-since-wrapped = commands are wrapped too deeply
may-since-program-later = the program `{ $name }` is known only when it runs
may-since-no-program = `{ $name }` is not a program
may-since-other-script = runs another script
may-since-alias = an alias changes what the words after it mean
may-since-enable = `enable` changes which builtins exist
may-since-made = `{ $name }` runs commands that are made when it runs
may-since-root = asks for the rights of root
may-since-watches = watches another program
may-since-env-split = `env -S` makes words of a text
may-since-root-shell = opens a shell or an editor as root
may-since-shell-later = what the shell is told is known only when it runs
may-since-script = runs a script
may-since-shell-stdin = a shell runs whatever it is given on standard input
may-since-shell = opens a shell
may-since-script-made = a script is put together when it runs
may-since-recursive = a function that calls itself
may-since-holds = `{ $name }` may run what its words hold
may-since-callback = may run a callback
may-since-sed = a sed script that may write or run something
may-since-awk = an awk program that may write or run something
may-since-code = runs code that the sandbox bounds
may-since-machine = talks to another machine
may-since-final = cannot be undone
may-since-raw = copies raw data
may-since-dd = `dd` with words that are known only when it runs
may-since-reads-later = reads `{ $path }`, which is known only when it runs, without a sandbox
may-since-whole = takes the whole project
may-since-a-board-reset = restarts a board
may-since-a-board-flash = writes to a board
may-since-a-board-erase = erases a board
may-since-long = the command has more than { $count } bytes
may-since-nul = the command contains a NUL byte
may-since-nested = the command is nested too deeply
may-since-unreadable = cannot read the command from `{ $rest }` on
may-since-loop = the loop sets `{ $variable }`, which changes what commands are
may-since-missing-mark = `{ $mark }` is missing
may-since-single-quote = a single quote is not closed
may-since-double-quote = a double quote is not closed
may-since-backtick = a backtick is not closed
may-since-backslash = the command ends in a backslash
may-since-not-closed = `{ $mark }` is not closed
may-since-heredoc = the here-document `{ $word }` has no end
may-since-stands = `{ $word }` stands where a command should
may-since-shred = destroys a file's contents for good
may-since-package = fetches and runs a package
may-since-installs = installs software
may-since-device = talks to a device
may-since-system = changes the system, not the project
may-since-disk = rewrites a disk
may-since-stops = stops the machine
may-since-walls = changes the walls around the command
may-since-ends = ends processes

## what became of a call that was not made

may-refused-policy = denied by policy: { $why }
may-refused-nobody = This call needs the permission of a person, and nobody is there: { $why }
may-refused-no-answer = Nobody is there to answer.
may-refused-before = Not run: the user interrupted before.
may-refused-interrupted = Interrupted before it finished. It may have had part of its effect; look before you repeat it.
may-refused-user = The user denied this call.{ $note } Do not work around it.
may-refused-say = They say: { $note }

## faults and crash reports

fault-crash-locked = the core locked up: { $why }; on hardware it would stand still until a reset
fault-crash-escalated = a { $exception } happened where no fault may happen
fault-crash-qemu = the target brought QEMU down: { $why }
fault-crash-kind = target crash: { $what }
fault-kind = cortex-m fault: { $what }
fault-likely = likely causes:
fault-next = next:
fault-unknown = No fault bit is set
fault-in = { $what }, in { $place }
fault-at-in = { $what }, at address { $address }, in { $place }
fault-escalated-in = { $what } (escalated to a hard fault)
fault-memory = Memory management fault: { $meaning }
fault-bus = Bus fault: { $meaning }
fault-usage = Usage fault: { $meaning }
fault-secure = Secure fault: { $meaning }
fault-hard = Hard fault: { $meaning }
fault-access = access { $address }: { $what }
fault-bit-iaccviol = instruction fetch from a place that the memory protection forbids or marks execute-never
fault-bit-daccviol = read or write at a place that the memory protection forbids
fault-bit-munstkerr = memory protection fault while registers were restored at the end of an exception
fault-bit-mstkerr = memory protection fault while registers were pushed at the start of an exception
fault-bit-mlsperr = memory protection fault while floating-point registers were saved lazily
fault-bit-mmarvalid = MMFAR holds the address
fault-bit-ibuserr = instruction fetch from an address where no memory answers
fault-bit-preciserr = a read or write failed on the bus, and the stacked PC is the guilty instruction
fault-bit-impreciserr = an earlier buffered write failed on the bus; the stacked PC is somewhat after the guilty instruction
fault-bit-unstkerr = bus error while registers were restored at the end of an exception
fault-bit-stkerr = bus error while registers were pushed at the start of an exception
fault-bit-lsperr = bus error while floating-point registers were saved lazily
fault-bit-bfarvalid = BFAR holds the address
fault-bit-undefinstr = the instruction does not exist on this core
fault-bit-invstate = the core was told to leave Thumb state, which it cannot
fault-bit-invpc = an exception return with an invalid EXC_RETURN value or a damaged stack frame
fault-bit-nocp = a coprocessor or floating-point instruction while that unit is off or absent
fault-bit-stkof = the stack pointer went below its limit: stack overflow
fault-bit-unaligned = an unaligned read or write that the instruction or CCR.UNALIGN_TRP does not allow
fault-bit-divbyzero = integer division by zero
fault-bit-vecttbl = the vector table could not be read
fault-bit-forced = another fault was escalated to a hard fault, because its own handler is off or busy
fault-bit-debugevt = a debug event, such as a breakpoint instruction with no debugger attached
fault-bit-halted = halted by the debugger or after a step
fault-bit-bkpt = a breakpoint was hit
fault-bit-dwttrap = a watchpoint was hit
fault-thread = thread code was running
fault-handler = the handler of { $exception } was running
fault-thumb = { $what }; the Thumb bit is clear
fault-address-null = close to zero, as when a null pointer is used
fault-address-stack = next to the stack pointer: the stack has left its memory
fault-address-code = in the code region, where nothing of this image is
fault-address-ram = in the RAM region, outside what this image uses
fault-address-peripheral = a peripheral; it may be switched off, or not exist on this part
fault-address-external = external memory, which may not be set up
fault-address-device = the external device region
fault-address-core = the core's own registers
fault-cause-stack = stack overflow: the stack grew out of its memory while registers were pushed
fault-cause-stack-next = give the stack of this task (or the main stack) more room, and look for large local arrays and deep recursion (`fwai memory` lists stack use from .su files)
fault-cause-frame = the stack frame was overwritten, or the stack pointer was changed inside a handler
fault-cause-frame-next = look for writes past the end of local arrays, and for a wrong EXC_RETURN in the RTOS port or context switch
fault-cause-null = a null pointer, perhaps plus the offset of a structure's field
fault-cause-null-next = look at the pointers that this line uses, and at where they should have been set
fault-cause-clock = the peripheral's clock is off, it is in reset, or the address is not on this part
fault-cause-clock-next = enable its clock (and read back once) before the first access; check the address against the SVD file
fault-cause-wild = a wild or stale pointer, an index out of range, or memory that does not exist or is not set up
fault-cause-wild-next = look at the pointers and indexes that this line uses
fault-cause-buffered = a buffered write to an address that does not answer, some instructions before this place
fault-cause-buffered-next = set ACTLR.DISDEFWBUF (bit 1 at 0xE000E008, Cortex-M3 and M4) and run again: the fault then becomes precise
fault-cause-jump = a jump to a place that is no code: a damaged function pointer, vtable or return address, or a wrong vector table
fault-cause-jump-next = look at LR: the caller is more trustworthy than PC here
fault-cause-even = a jump to an even address: a function pointer without the Thumb bit, a null function pointer, or a vector table entry that is not a Thumb address
fault-cause-even-next = look at LR for the caller, and at function pointers and interrupt vectors that it uses
fault-cause-fpu = floating point is used before it is enabled, or the code was built for a core with an FPU that this one lacks
fault-cause-fpu-next = set CPACR bits 20 to 23 (0xE000ED88) before the first floating-point instruction, or build with -mfloat-abi=soft
fault-cause-unaligned = a pointer cast to a wider type, a packed structure, or LDM/STM/LDRD on an odd address
fault-cause-unaligned-next = copy with memcpy, or fix the alignment; CCR.UNALIGN_TRP may be set on purpose
fault-cause-divisor = a divisor that is zero
fault-cause-divisor-next = check the divisor on this line before dividing
fault-cause-vtor = VTOR points to a place without a vector table, or the entry there cannot be read
fault-cause-vtor-next = check SCB->VTOR and that the table's section is kept by the linker script (KEEP)
fault-cause-bkpt = a BKPT instruction, as in a semihosting call or an assertion, with no debugger to take it
fault-cause-bkpt-next = build without semihosting (--specs=nosys.specs), or attach a debugger
fault-cause-forced-next = read CFSR (0xE000ED28): the escalated fault's cause is there
fault-cause-elf-next = give the ELF of the running image to see function and line
fault-cause-handler = the fault handler itself faulted: it used an address, a stack or a driver that does not work
fault-cause-handler-next = break at HardFault_Handler and decode the first fault before the handler runs on
fault-cause-handler-loop = keep the fault handler to a loop or a breakpoint until the first fault is fixed
fault-crash-esp-panic = ESP-IDF panic on core { $core }: { $what }
fault-crash-abort = abort() was called at { $address }
fault-crash-abort-next = an assertion or ESP_ERROR_CHECK failed; the line before it names the place
fault-crash-watchdog = a task held the CPU longer than the task watchdog allows
fault-crash-watchdog-next = the listed task loops without waiting; let it block or feed the watchdog
fault-crash-brownout = the supply voltage fell below the brownout level
fault-crash-brownout-next = use a stronger supply or a shorter cable; the program is not at fault
fault-crash-stack = the stack of task { $task } overflowed
fault-crash-stack-next = give the task a larger stack, or make its local arrays static
fault-crash-heap = the heap is exhausted
fault-crash-heap-next = raise configTOTAL_HEAP_SIZE or free what is no longer used
fault-crash-reports = the firmware reports a { $kind } fault
fault-crash-assert-at = assertion `{ $what }` failed at { $place }
fault-crash-freertos = FreeRTOS assertion failed at { $place }
fault-crash-rust = Rust panic at { $place }
fault-at = { $what } at { $place }

## debug

said-debug-break = stop at a function, file:line or *address
said-debug-tbreak = the same, once
said-debug-watch = stop when it is written, read, or either
said-debug-delete = remove a breakpoint, or all
said-debug-continue = run on; the first time with a breakpoint set, from reset
said-debug-step = one line into or over, one instruction, to the caller
said-debug-interrupt = stop the target
said-debug-reset = reset the target and stop at its first instruction
said-debug-backtrace = the calls that led here
said-debug-locals = arguments and local variables
said-debug-print = the value of an expression
said-debug-registers = core registers
said-debug-memory = bytes of memory
said-debug-peripheral = peripheral registers by field, from the SVD file
said-debug-disassemble = instructions with their source lines
said-debug-decode = what a hard fault was, and at which line
said-debug-expressions = expressions may not use $_shell or $_gdb_setting
said-debug-quit = the session ends with its last command
said-debug-where = say where: `break main`, `break main.c:42` or `break *0x08000100`
said-debug-watch-what = say what to watch: `watch counter`
said-debug-delete-numbers = delete takes breakpoint numbers
said-debug-not-reached = no breakpoint was reached within { $seconds } s and the target still runs; `interrupt` stops it
said-debug-still-runs = the target still runs after { $seconds } s; `interrupt` stops it
said-debug-stands = the target already stands still
said-debug-no-stop = the target did not stop within 5 s
said-debug-no-reset = this board's debug server knows no reset; use `fwai board reset`
said-debug-no-locals = no local variables here
said-debug-no-register = no such register; known: { $names }
said-debug-memory-form = say `memory ADDRESS COUNT` with at most 65536 bytes
said-debug-no-address = `{ $place }` is no address
said-debug-which = say which: `peripheral USART1` or `peripheral USART1.CR1`
said-debug-no-svd = no SVD file is known; set `target.svd` in .fwai/project.yaml
said-debug-one = one command at a time
said-debug-refused = `{ $word }` is not among the GDB commands that a session allows here
said-debug-gone = the target is gone
said-debug-not-compared = nothing of the ELF could be compared
said-debug-other = another ELF: { $what }
said-debug-other-build = the board runs build { $found }, the ELF is build { $id }
said-debug-no-build = the board does not hold build { $id } at { $address }
said-debug-byte = at { $address } the board holds { $board }, the ELF { $elf }
fault-none = no fault is recorded; the core is at { $place }
fault-no-record = hard fault{ $place }; this core keeps no record of the reason

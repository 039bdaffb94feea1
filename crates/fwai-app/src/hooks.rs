//! Commands of the user's that run on events of a session: JSON in, JSON out.
//!
//! A hook that answers `{"decision": "deny", "reason": "…"}`, or exits with 2, stops what it was asked
//! about; `{"context": "…"}` gives the model something to read. A hook that fails in another way or takes
//! too long is told and changes nothing: it is the user's convenience, while walls are policy's business.

use fwai_schema::config::{HookConfig, HookEvent};
use globset::Glob;
use serde_json::Value;
use std::{path::PathBuf, process::Stdio, time::Duration};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    process::Command,
};

/// No real answer is longer.
const LONGEST_ANSWER: u64 = 1 << 20;

/// What the hooks of an event said together.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Why it must not happen.
    pub denied: Option<String>,
    pub context: Option<String>,
    /// Hooks that went wrong.
    pub warnings: Vec<String>,
}

/// The hooks that count: the user's, and those of a trusted project.
#[derive(Debug, Clone, Default)]
pub struct Hooks {
    list: Vec<HookConfig>,
    directory: PathBuf,
}

impl Hooks {
    pub fn new(list: Vec<HookConfig>, directory: PathBuf) -> Self {
        Self { list, directory }
    }

    pub fn any(&self, event: HookEvent) -> bool {
        self.list.iter().any(|hook| hook.on == event)
    }

    /// Runs every hook of an event, one after the other; the first denial ends it.
    pub async fn run(&self, event: HookEvent, tool: Option<&str>, input: &Value) -> Answer {
        let mut answer = Answer::default();
        for hook in self.list.iter().filter(|hook| hook.on == event && applies(hook, tool)) {
            match self.one(hook, input).await {
                Ok(said) => {
                    let text = |key: &str| said.get(key).and_then(Value::as_str).map(str::to_owned);
                    if let Some(more) = text("context") {
                        answer.context = Some(match answer.context {
                            Some(before) => format!("{before}\n{more}"),
                            None => more,
                        });
                    }
                    if said["decision"] == "deny" {
                        let reason = text("reason").unwrap_or_else(|| "no reason given".to_owned());
                        answer.denied = Some(format!("the hook `{}` denies it: {reason}", hook.command));
                        return answer;
                    }
                }
                Err(why) => answer.warnings.push(format!("hook `{}`: {why}", hook.command)),
            }
        }
        answer
    }

    /// The same where nothing can be awaited, for instance while a session is put together.
    pub fn run_now(&self, event: HookEvent, input: &Value) -> Answer {
        if !self.any(event) {
            return Answer::default();
        }
        let failed = |why: String| Answer { warnings: vec![format!("hooks: {why}")], ..Answer::default() };
        // A thread of its own: this one may belong to a runtime, which cannot wait for another.
        std::thread::scope(|scope| {
            let work = scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                match runtime {
                    Ok(runtime) => runtime.block_on(self.run(event, None, input)),
                    Err(error) => failed(error.to_string()),
                }
            });
            work.join().unwrap_or_else(|_| failed("a hook broke off".to_owned()))
        })
    }

    async fn one(&self, hook: &HookConfig, input: &Value) -> Result<Value, String> {
        let mut child = Command::new("/bin/sh")
            .args(["-c", &hook.command])
            .current_dir(&self.directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .process_group(0)
            .spawn()
            .map_err(|error| error.to_string())?;
        let group = child.id().and_then(|id| rustix::process::Pid::from_raw(i32::try_from(id).ok()?));
        let text = input.to_string();
        let (mut stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let told = async {
            if let Some(stdin) = &mut stdin {
                // A hook need not read its input.
                let _ = stdin.write_all(text.as_bytes()).await;
            }
            drop(stdin);
        };
        let work = async {
            let ((), said, complained) = tokio::join!(told, beginning(stdout), beginning(stderr));
            child.wait().await.map(|status| (status, said, complained))
        };
        let limit = Duration::from_secs(hook.timeout_s.max(1));
        let ended = tokio::time::timeout(limit, work).await;
        // Whatever the hook started ends with it.
        if let Some(group) = group {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let (status, said, complained) = match ended {
            Ok(ended) => ended.map_err(|error| error.to_string())?,
            Err(_) => return Err(format!("no answer within {} s", limit.as_secs())),
        };
        match status.code() {
            Some(0) => Ok(serde_json::from_str(said.trim()).unwrap_or(Value::Null)),
            Some(2) => Ok(serde_json::json!({"decision": "deny", "reason": complained.trim()})),
            _ => Err(format!("ended with {status}: {}", complained.trim())),
        }
    }
}

/// What a stream says, as far as anybody would read it; the rest is passed over.
async fn beginning(stream: Option<impl AsyncRead + Unpin>) -> String {
    let mut kept = Vec::new();
    let Some(mut stream) = stream else { return String::new() };
    let _ = (&mut stream).take(LONGEST_ANSWER).read_to_end(&mut kept).await;
    let _ = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
    String::from_utf8_lossy(&kept).into_owned()
}

fn applies(hook: &HookConfig, tool: Option<&str>) -> bool {
    match (&hook.tool, tool) {
        (None, _) => true,
        (Some(glob), Some(tool)) => Glob::new(glob).is_ok_and(|glob| glob.compile_matcher().is_match(tool)),
        (Some(_), None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn hooks(command: &str, tool: Option<&str>) -> Hooks {
        let hook = HookConfig {
            on: HookEvent::BeforeTool,
            command: command.into(),
            tool: tool.map(str::to_owned),
            timeout_s: 1,
        };
        Hooks::new(vec![hook], std::env::temp_dir())
    }

    async fn ask(hooks: &Hooks) -> Answer {
        hooks.run(HookEvent::BeforeTool, Some("bash"), &json!({"tool": "bash"})).await
    }

    #[tokio::test]
    async fn a_hook_can_deny_and_add_context() {
        let denied = ask(&hooks(r#"echo '{"decision":"deny","reason":"not today"}'"#, None)).await;
        assert!(denied.denied.unwrap().contains("not today"));
        assert!(ask(&hooks("echo no >&2; exit 2", None)).await.denied.unwrap().contains(": no"));
        let context =
            ask(&hooks(r#"grep -q '"tool":"bash"' && echo '{"context":"read me"}'"#, Some("ba*"))).await;
        assert_eq!(context, Answer { context: Some("read me".into()), ..Answer::default() });
        assert_eq!(ask(&hooks("exit 2", Some("grep"))).await, Answer::default());
    }

    #[tokio::test]
    async fn a_broken_or_slow_hook_is_told_and_changes_nothing() {
        assert!(ask(&hooks("sleep 30", None)).await.warnings[0].contains("within 1 s"));
        let broken = ask(&hooks("exit 9", None)).await;
        assert!(broken.denied.is_none() && broken.warnings.len() == 1);
        assert_eq!(ask(&hooks("echo not json", None)).await, Answer::default());
    }
}

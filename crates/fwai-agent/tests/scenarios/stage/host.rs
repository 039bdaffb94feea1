//! A host whose clock and ids repeat, whose gate is told what to decide, and whose files are real.

use fwai_agent::{
    host::{CallRequest, Clock, Decision, Gate, HostError, Library, SessionFiles, SkillEntry},
    outcome::ToolOutcome,
};
use fwai_llm::{BoxFuture, Provider};
use fwai_schema::{agent::AgentDef, event::EventBody, op::PermissionReply, skill::SkillDef};
use serde_json::Value;
use std::{
    borrow::Cow,
    fs,
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

type Decide = Box<dyn Fn(&CallRequest) -> Decision + Send + Sync>;

pub struct TestHost {
    root: PathBuf,
    ticks: AtomicU64,
    ids: AtomicU64,
    pub decide: Mutex<Option<Decide>>,
    pub remembered: Mutex<Vec<(String, PermissionReply)>>,
    pub snapshots: Mutex<Vec<String>>,
    pub agents: Mutex<Vec<AgentDef>>,
    pub skills: Mutex<Vec<(SkillEntry, String)>>,
    pub workflows: Mutex<Vec<SkillDef>>,
}

impl TestHost {
    pub fn new(root: PathBuf) -> Self {
        Self {
            root,
            ticks: AtomicU64::new(0),
            ids: AtomicU64::new(0),
            decide: Mutex::default(),
            remembered: Mutex::default(),
            snapshots: Mutex::default(),
            agents: Mutex::default(),
            skills: Mutex::default(),
            workflows: Mutex::default(),
        }
    }

    pub fn decides(&self, decide: impl Fn(&CallRequest) -> Decision + Send + Sync + 'static) {
        *self.decide.lock().unwrap() = Some(Box::new(decide));
    }
}

impl Clock for TestHost {
    fn now(&self) -> String {
        format!("2026-02-28T16:12:{:02}.000Z", self.ticks.fetch_add(1, Ordering::SeqCst) % 60)
    }

    fn monotonic_us(&self) -> u64 {
        self.ticks.fetch_add(1, Ordering::SeqCst) * 1000
    }

    fn sleep(&self, milliseconds: u64) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(std::time::Duration::from_millis(milliseconds)))
    }

    fn random_id(&self) -> String {
        format!("id{}", self.ids.fetch_add(1, Ordering::SeqCst) + 1)
    }
}

impl Gate for TestHost {
    fn decide<'a>(&'a self, call: &'a CallRequest) -> BoxFuture<'a, Decision> {
        let decision = match &*self.decide.lock().unwrap() {
            Some(decide) => decide(call),
            None => Decision::allow(),
        };
        Box::pin(async move { decision })
    }

    fn remember(&self, call: &CallRequest, reply: PermissionReply) -> Result<(), HostError> {
        self.remembered.lock().unwrap().push((call.tool.clone(), reply));
        Ok(())
    }

    fn before_change<'a>(&'a self, call: &'a CallRequest) -> BoxFuture<'a, Result<(), HostError>> {
        self.snapshots.lock().unwrap().push(call.id.clone());
        Box::pin(async { Ok(()) })
    }

    fn after<'a>(
        &'a self,
        _call: &'a CallRequest,
        _outcome: &'a mut ToolOutcome,
    ) -> BoxFuture<'a, Result<Vec<EventBody>, HostError>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn undo(&self, _to: Option<u64>) -> BoxFuture<'_, Result<(String, Vec<EventBody>), HostError>> {
        Box::pin(async { Ok(("src/uart.c is as it was".into(), Vec::new())) })
    }

    fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if text.contains("hunter2") {
            Cow::Owned(text.replace("hunter2", "[redacted]"))
        } else {
            Cow::Borrowed(text)
        }
    }
}

impl SessionFiles for TestHost {
    fn plan_path(&self, session: &str) -> String {
        format!(".fwai/sessions/{session}/plan.md")
    }

    fn read_plan<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<Option<String>, HostError>> {
        let plan = fs::read_to_string(self.root.join(self.plan_path(session))).ok();
        Box::pin(async move { Ok(plan) })
    }

    fn write_plan<'a>(&'a self, session: &'a str, plan: &'a str) -> BoxFuture<'a, Result<(), HostError>> {
        Box::pin(async move {
            let path = self.root.join(self.plan_path(session));
            fs::create_dir_all(path.parent().unwrap())?;
            Ok(fs::write(path, plan)?)
        })
    }

    fn keep_output<'a>(
        &'a self,
        session: &'a str,
        call: &'a str,
        text: &'a str,
    ) -> BoxFuture<'a, Result<String, HostError>> {
        Box::pin(async move {
            let name = format!(".fwai/sessions/{session}/output/{call}.txt");
            let path = self.root.join(&name);
            fs::create_dir_all(path.parent().unwrap())?;
            fs::write(path, text)?;
            Ok(name)
        })
    }
}

impl Library for TestHost {
    fn agents(&self) -> Vec<AgentDef> {
        self.agents.lock().unwrap().clone()
    }

    fn skills(&self) -> Vec<SkillEntry> {
        self.skills.lock().unwrap().iter().map(|(entry, _)| entry.clone()).collect()
    }

    fn skill_document(&self, name: &str) -> Result<String, HostError> {
        let skills = self.skills.lock().unwrap();
        let found = skills.iter().find(|(entry, _)| entry.name == name);
        found.map(|(_, text)| text.clone()).ok_or_else(|| HostError::new("no such skill"))
    }

    fn workflow(&self, name: &str) -> Option<SkillDef> {
        self.workflows.lock().unwrap().iter().find(|skill| skill.name == name).cloned()
    }

    fn run_skill<'a>(
        &'a self,
        _name: &'a str,
        _inputs: &'a Value,
    ) -> BoxFuture<'a, Result<Option<ToolOutcome>, HostError>> {
        Box::pin(async { Ok(None) })
    }

    fn provider(&self, model: &str) -> Result<Arc<dyn Provider>, HostError> {
        Err(HostError::new(format!("no model {model}")))
    }
}

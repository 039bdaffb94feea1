//! Rules for the todo list: unique ids, something to do, one thing at a time, and parents that exist.

use fwai_schema::todo::{Todo, TodoStatus};
use std::collections::HashMap;

/// Why a list is not one; the message tells how to make it one.
pub fn check(todos: &[Todo]) -> Result<(), String> {
    let mut by_id: HashMap<&str, &Todo> = HashMap::new();
    for todo in todos {
        if todo.content.trim().is_empty() {
            return Err(format!("todo `{}` has empty content; say what to do", todo.id));
        }
        if todo.id.trim().is_empty() {
            return Err(format!("the todo \"{}\" has no id; give every todo one", todo.content));
        }
        if by_id.insert(&todo.id, todo).is_some() {
            return Err(format!("the id `{}` stands twice; ids must be unique", todo.id));
        }
    }
    let working: Vec<&str> =
        with_status(todos, TodoStatus::InProgress).map(|todo| todo.id.as_str()).collect();
    if working.len() > 1 {
        return Err(format!("only one todo can be in_progress, these are: {}", working.join(", ")));
    }
    for todo in todos {
        check_ancestors(todo, &by_id)?;
    }
    Ok(())
}

fn check_ancestors(todo: &Todo, by_id: &HashMap<&str, &Todo>) -> Result<(), String> {
    let mut at = todo;
    for _ in 0..=by_id.len() {
        let Some(parent) = &at.parent else { return Ok(()) };
        let Some(found) = by_id.get(parent.as_str()) else {
            return Err(format!("todo `{}` is part of `{parent}`, which is not in the list", at.id));
        };
        if found.status == TodoStatus::Completed && is_open(at) {
            return Err(format!("`{parent}` cannot be completed while its part `{}` is open", at.id));
        }
        at = found;
    }
    Err(format!("todo `{}` is, over its parents, a part of itself", todo.id))
}

fn is_open(todo: &Todo) -> bool {
    matches!(todo.status, TodoStatus::Pending | TodoStatus::InProgress)
}

fn with_status(todos: &[Todo], status: TodoStatus) -> impl Iterator<Item = &Todo> {
    todos.iter().filter(move |todo| todo.status == status)
}

/// One line for the model: how much is open, what is in progress.
pub fn summary(todos: &[Todo]) -> String {
    let open = todos.iter().filter(|todo| is_open(todo)).count();
    let done = with_status(todos, TodoStatus::Completed).count();
    let mut line = format!("{} todos: {open} open, {done} completed", todos.len());
    if let Some(now) = with_status(todos, TodoStatus::InProgress).next() {
        line.push_str(&format!("; in progress: {}", now.content));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use TodoStatus::*;

    fn todo(id: &str, status: TodoStatus, parent: Option<&str>) -> Todo {
        Todo { id: id.into(), content: format!("do {id}"), status, parent: parent.map(str::to_owned) }
    }

    #[test]
    fn a_tree_with_one_thing_in_progress_is_a_list() {
        let spi = [
            todo("spi", Pending, None),
            todo("gpio", Completed, Some("spi")),
            todo("dma", InProgress, Some("spi")),
            todo("old", Cancelled, Some("dma")),
        ];
        assert_eq!(check(&spi), Ok(()));
        assert_eq!(summary(&spi), "4 todos: 2 open, 1 completed; in progress: do dma");
        assert_eq!(check(&[]), Ok(()));
    }

    #[test]
    fn each_rule_says_what_is_wrong() {
        let wrong = |todos: &[Todo]| check(todos).unwrap_err();
        let mut empty = todo("1", Pending, None);
        empty.content = " \n".into();
        assert_eq!(wrong(&[empty]), "todo `1` has empty content; say what to do");
        assert_eq!(wrong(&[todo(" ", Pending, None)]), "the todo \"do  \" has no id; give every todo one");
        let twice = [todo("1", Pending, None), todo("1", Completed, None)];
        assert_eq!(wrong(&twice), "the id `1` stands twice; ids must be unique");
        let both = [todo("1", InProgress, None), todo("2", InProgress, None)];
        assert_eq!(wrong(&both), "only one todo can be in_progress, these are: 1, 2");
        let orphan = [todo("1", Pending, Some("0"))];
        assert_eq!(wrong(&orphan), "todo `1` is part of `0`, which is not in the list");
        let ring = [todo("1", Pending, Some("2")), todo("2", Pending, Some("1"))];
        assert!(wrong(&ring).contains("a part of itself"));
        let early = [todo("1", Completed, None), todo("2", Pending, Some("1"))];
        assert_eq!(wrong(&early), "`1` cannot be completed while its part `2` is open");
    }
}

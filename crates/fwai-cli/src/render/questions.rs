//! Questions of a session on one screenful, and answers by number or in words.

use crate::language::{exactly, say};
use fwai_schema::{event::Question, op::Answer};

/// A question with numbered options.
pub fn question(question: &Question) -> String {
    let mut text = format!("{}\n", exactly(&question.question));
    for (number, option) in question.options.iter().enumerate() {
        let more = option.description.as_ref().map(|words| format!(": {words}")).unwrap_or_default();
        text.push_str(&format!("  {}. {}{more}\n", number + 1, exactly(&option.label)));
    }
    let how = match (question.options.is_empty(), question.multiple) {
        (true, _) => String::new(),
        (false, true) => say!("answer-numbers"),
        (false, false) => say!("answer-number"),
    };
    text + &say!("answer-prompt", how = how) + " "
}

/// What a line means as an answer: numbers and labels choose, anything else is the user's own words.
pub fn answer_from(question: Option<&Question>, line: &str) -> Answer {
    let line = line.trim();
    let Some(question) = question else { return Answer { choices: Vec::new(), text: Some(line.to_owned()) } };
    let chosen: Option<Vec<String>> = line
        .split([',', ' '])
        .filter(|word| !word.is_empty())
        .map(|word| {
            let number = word.parse::<usize>().ok()?.checked_sub(1)?;
            Some(question.options.get(number)?.label.clone())
        })
        .collect();
    if let Some(choices) =
        chosen.filter(|choices| !choices.is_empty() && (question.multiple || choices.len() == 1))
    {
        return Answer { choices, text: None };
    }
    match question.options.iter().find(|option| option.label.eq_ignore_ascii_case(line)) {
        Some(option) => Answer { choices: vec![option.label.clone()], text: None },
        None => Answer { choices: Vec::new(), text: Some(line.to_owned()) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fwai_schema::event::QuestionOption;

    #[test]
    fn numbers_and_labels_choose_and_words_stay_words() {
        let option = |label: &str| QuestionOption { label: label.into(), description: None };
        let one = Question {
            question: "which?".into(),
            options: vec![option("Yes"), option("No")],
            multiple: false,
            free_text: true,
        };
        let many = Question { multiple: true, ..one.clone() };
        assert_eq!(answer_from(Some(&one), "2").choices, ["No"]);
        assert_eq!(answer_from(Some(&one), "yes").choices, ["Yes"]);
        assert_eq!(answer_from(Some(&one), "1 2").text.as_deref(), Some("1 2"));
        assert_eq!(answer_from(Some(&many), "1, 2").choices, ["Yes", "No"]);
        assert_eq!(answer_from(Some(&one), "3").text.as_deref(), Some("3"));
        assert_eq!(answer_from(None, "words").text.as_deref(), Some("words"));
    }
}

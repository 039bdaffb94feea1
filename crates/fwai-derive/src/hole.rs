//! The text of an error as thiserror reads it: words, and holes that are filled with fields, constants and
//! expressions.

use proc_macro2::{Group, Ident, Spacing, Span, TokenStream, TokenTree};
use quote::quote;
use syn::{Error, LitStr, Result};

/// The name of a field that has none.
pub const IT: &str = "it";

pub enum Piece {
    Words(String),
    Hole(Hole),
}

/// What is filled in: its name, and an expression for what it says.
pub struct Hole {
    pub name: String,
    pub value: TokenStream,
}

/// Takes `"text", argument, …` apart.
pub fn pieces(attribute: TokenStream) -> Result<Vec<Piece>> {
    let mut parts = split_at_commas(attribute).into_iter();
    let text: LitStr = syn::parse2(parts.next().unwrap_or_default())?;
    let mut arguments = parts.filter(|part| !part.is_empty());
    let (mut found, mut words) = (Vec::new(), String::new());
    let text_value = text.value();
    let mut letters = text_value.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('{', Some('{')) | ('}', Some('}')) => words.extend(letters.next()),
            ('{', _) => {
                let inside: String = letters.by_ref().take_while(|letter| *letter != '}').collect();
                let (name, format) = inside.split_once(':').unwrap_or((&inside, ""));
                let hole = match name {
                    "" => {
                        let argument = arguments.next();
                        of_argument(
                            argument.ok_or_else(|| Error::new(text.span(), "an argument is missing"))?,
                        )?
                    }
                    name => of_name(name, format),
                };
                if !words.is_empty() {
                    found.push(Piece::Words(std::mem::take(&mut words)));
                }
                found.push(Piece::Hole(hole));
            }
            _ => words.push(letter),
        }
    }
    if !words.is_empty() {
        found.push(Piece::Words(words));
    }
    Ok(found)
}

/// `{path}`, `{0}`, `{mode:o}`, `{LIMIT}`.
fn of_name(name: &str, format: &str) -> Hole {
    let is_index = name.starts_with(|letter: char| letter.is_ascii_digit());
    let name = if is_index { IT } else { name };
    let what = Ident::new(name, Span::call_site());
    let value = match format {
        "" => quote!(::fwai_schema::said::Speak::said(&#what)),
        format => {
            let format = format!("{{:{format}}}");
            quote!(::fwai_schema::said::Said::plain(::std::format!(#format, #what)))
        }
    };
    Hole { name: name.to_lowercase(), value }
}

/// An argument behind the text. A path is shown as itself, whatever way it is made text for English.
fn of_argument(argument: TokenStream) -> Result<Hole> {
    let argument = without_leading_dots(argument);
    let text = argument.to_string();
    let first = first_name(&argument);
    let name = first.ok_or_else(|| Error::new_spanned(&argument, "nothing here has a name"))?;
    let plain: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let shows_itself = ["display()", "to_string_lossy()"].iter().any(|way| plain == format!("{name}.{way}"));
    let value = match shows_itself {
        true => quote!(::fwai_schema::said::Speak::said(&#name)),
        false => quote!(::fwai_schema::said::Speak::said(&(#argument))),
    };
    Ok(Hole { name: name.to_string().to_lowercase(), value })
}

/// What an argument is called: `hint` in `hint(what)`, `first` in `first.as_ref()`.
fn first_name(argument: &TokenStream) -> Option<Ident> {
    match argument.clone().into_iter().next()? {
        TokenTree::Ident(name) => Some(name),
        _ => None,
    }
}

/// `.field` as thiserror writes it is the field; `.0` is the one without a name.
fn without_leading_dots(tokens: TokenStream) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    // At the beginning, and behind anything that is no value, a dot begins a field.
    let (mut begins, mut dropped) = (true, false);
    for token in tokens {
        let is_field = std::mem::take(&mut dropped);
        match token {
            TokenTree::Punct(dot) if dot.as_char() == '.' && dot.spacing() == Spacing::Alone && begins => {
                dropped = true;
            }
            TokenTree::Literal(index) if is_field => {
                out.push(Ident::new(IT, index.span()).into());
                begins = false;
            }
            TokenTree::Group(group) => {
                let inside = without_leading_dots(group.stream());
                out.push(Group::new(group.delimiter(), inside).into());
                begins = false;
            }
            other => {
                begins = matches!(&other, TokenTree::Punct(mark) if mark.as_char() != '.');
                out.push(other);
            }
        }
    }
    out.into_iter().collect()
}

fn split_at_commas(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for token in tokens {
        match &token {
            TokenTree::Punct(mark) if mark.as_char() == ',' => parts.push(TokenStream::new()),
            _ => parts.last_mut().expect("one at least").extend([token]),
        }
    }
    parts
}

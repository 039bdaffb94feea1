//! `#[derive(Speak)]`: what an error says, as a key and named values, so that a door can say it in another
//! language than the English of `#[error("…")]`.
//!
//! Everything is read from that attribute: the key is `<crate>-<Type>.<Variant>`, the values are what its
//! holes show, under the names of the fields. `#[error(transparent)]` passes the word to what is inside.
//! The trait and what it gives live in `fwai_schema::said`; [`hole`] takes the English text apart.

#![forbid(unsafe_code)]

mod hole;

use hole::{Hole, Piece};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Attribute, Data, DeriveInput, Error, Fields, Ident, Result, parse_macro_input};

#[proc_macro_derive(Speak)]
pub fn speak(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    implement(&input).unwrap_or_else(Error::into_compile_error).into()
}

fn implement(input: &DeriveInput) -> Result<TokenStream> {
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let key = format!("{}-{}", package.trim_start_matches("fwai-"), input.ident);
    let mut arms = Vec::new();
    let mut forms = Vec::new();
    let mut add = |name: TokenStream, variant: &str, attributes: &[Attribute], fields: &Fields| {
        let bindings = Bindings::of(fields)?;
        let pattern = bindings.pattern(&name);
        let said = match text_of(&input.ident, attributes)? {
            None => {
                let inside = bindings.names.first();
                let inside = inside.ok_or_else(|| Error::new_spanned(fields, "transparent needs a field"))?;
                quote!(::fwai_schema::said::Speak::said(#inside))
            }
            Some(pieces) => {
                let values = pieces.iter().filter_map(|piece| match piece {
                    Piece::Hole(Hole { name, value, .. }) => Some(quote!((#name, #value))),
                    Piece::Words(_) => None,
                });
                let said = quote!(::fwai_schema::said::Said::new(self, #key, #variant, vec![#(#values),*]));
                let pieces = pieces.iter().map(|piece| match piece {
                    Piece::Words(words) => quote!(::fwai_schema::said::Piece::Words(#words)),
                    Piece::Hole(Hole { name, .. }) => quote!(::fwai_schema::said::Piece::Value(#name)),
                });
                forms.push(quote! {
                    ::fwai_schema::said::Form { key: #key, variant: #variant, pieces: &[#(#pieces),*] }
                });
                said
            }
        };
        arms.push(quote!(#pattern => #said));
        Ok::<(), Error>(())
    };
    match &input.data {
        Data::Struct(data) => add(quote!(Self), "", &input.attrs, &data.fields)?,
        Data::Enum(data) => {
            for variant in &data.variants {
                let name = &variant.ident;
                add(quote!(Self::#name), &name.to_string(), &variant.attrs, &variant.fields)?;
            }
        }
        Data::Union(_) => return Err(Error::new_spanned(input, "an error is a struct or an enum")),
    }
    let name = &input.ident;
    Ok(quote! {
        #[automatically_derived]
        impl ::fwai_schema::said::Speak for #name {
            #[allow(unused_variables)]
            fn said(&self) -> ::fwai_schema::said::Said {
                match self { #(#arms),* }
            }
        }
        #[automatically_derived]
        impl ::fwai_schema::said::Forms for #name {
            const FORMS: &'static [::fwai_schema::said::Form] = &[#(#forms),*];
        }
    })
}

/// The text of `#[error(…)]` in pieces; nothing where it is transparent.
fn text_of(on: &Ident, attributes: &[Attribute]) -> Result<Option<Vec<Piece>>> {
    let attribute = attributes.iter().find(|attribute| attribute.path().is_ident("error"));
    let attribute = attribute.ok_or_else(|| Error::new_spanned(on, "what says nothing cannot speak"))?;
    let list = attribute.meta.require_list()?;
    match list.tokens.to_string() == "transparent" {
        true => Ok(None),
        false => hole::pieces(list.tokens.clone()).map(Some),
    }
}

/// The fields of a variant, under the names by which `#[error(…)]` knows them.
struct Bindings {
    names: Vec<Ident>,
    named: bool,
}

impl Bindings {
    fn of(fields: &Fields) -> Result<Self> {
        let names = match fields {
            Fields::Named(fields) => fields.named.iter().filter_map(|field| field.ident.clone()).collect(),
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => vec![format_ident!("{}", hole::IT)],
            Fields::Unnamed(fields) => return Err(Error::new_spanned(fields, "give the fields names")),
            Fields::Unit => Vec::new(),
        };
        Ok(Self { names, named: matches!(fields, Fields::Named(_)) })
    }

    fn pattern(&self, name: &TokenStream) -> TokenStream {
        let names = &self.names;
        match (self.named, names.is_empty()) {
            (true, _) => quote!(#name { #(#names),* }),
            (false, false) => quote!(#name(#(#names),*)),
            (false, true) => quote!(#name),
        }
    }
}

//! What every door to a session needs: provider, project, walls and tools, put together once.

use crate::{
    context::Context,
    failure::{Failure, Kind},
};
use fwai_app::{
    bench::Bench,
    config,
    library::OtherProvider,
    provider,
    session::{Assembled, AssemblyError, Ingredients, Wanted, assemble},
};
use fwai_llm::Provider;
use fwai_schema::{board::BoardKind, project::Project};
use std::sync::Arc;

/// Starts a session, or goes on with one. Must be called inside the runtime's context.
pub fn open(context: &Context, wanted: Wanted) -> Result<Assembled, Failure> {
    let layered = context.config()?;
    let choice = provider::choose(&layered.config.provider).map_err(|error| {
        Failure::usage(error).hint("`fwai demo` shows fwai at work without key, board or network")
    })?;
    let provider = provider::make(layered, &context.paths, &choice).map_err(Failure::usage)?;
    open_with(context, wanted, provider)
}

/// The same with a provider that is already there.
pub fn open_with(
    context: &Context,
    wanted: Wanted,
    provider: Arc<dyn Provider>,
) -> Result<Assembled, Failure> {
    let layered = context.config()?;
    let project = project(context)?;
    let ingredients = Ingredients {
        paths: context.paths.clone(),
        config: layered.config.clone(),
        project,
        provider,
        other_provider: other_provider(context)?,
        known_secrets: provider::keys_in_environment(&layered.config.provider),
        more_tools: Box::new(fwai_tools::registry::firmware),
        virtual_board: is_virtual(context),
    };
    assemble(ingredients, wanted).map_err(failure)
}

/// Whether the chosen board is a virtual one, to which nothing lasting can be done.
fn is_virtual(context: &Context) -> bool {
    let Ok(layered) = context.config() else { return false };
    let Ok(bench) = Bench::open(&context.paths, &layered.config) else { return false };
    bench.choose(None).is_ok_and(|board| board.kind == BoardKind::Virtual)
}

/// The project's description; an empty one where there is none.
pub fn project(context: &Context) -> Result<Project, Failure> {
    let Some((project, warnings)) = config::load_project(&context.paths)? else {
        return Ok(Project::default());
    };
    for warning in warnings {
        context.warn(warning);
    }
    Ok(project)
}

/// `model` or `provider/model` for a sub-agent, with the keys of this configuration.
fn other_provider(context: &Context) -> Result<OtherProvider, Failure> {
    let layered = context.config()?.clone();
    let paths = context.paths.clone();
    Ok(Box::new(move |model: &str| {
        let mut layered = layered.clone();
        let named = model.split_once('/').and_then(|(name, rest)| {
            let name =
                fwai_schema::config::ProviderName::ALL.into_iter().find(|known| known.as_str() == name)?;
            Some((name, rest))
        });
        let wanted = match named {
            Some((name, model)) => {
                layered.config.provider.name = Some(name);
                model
            }
            None => model,
        };
        layered.config.provider.model = Some(wanted.to_owned());
        let choice = provider::choose(&layered.config.provider).map_err(|error| error.to_string())?;
        provider::make(&layered, &paths, &choice).map_err(|error| error.to_string())
    }))
}

fn failure(error: AssemblyError) -> Failure {
    let kind = match &error {
        AssemblyError::Policy(_) | AssemblyError::Rules(_) => Kind::Usage,
        AssemblyError::Session(_) => Kind::Usage,
        AssemblyError::Denied(_) => Kind::Denied,
        AssemblyError::Evidence(_) | AssemblyError::Path(_) | AssemblyError::Host(_) => Kind::Failed,
    };
    Failure::new(kind, error)
}

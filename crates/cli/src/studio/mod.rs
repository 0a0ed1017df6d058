//! `navtile studio`: serves the studio, a page that shows a level and its mesh, to a browser on this machine.

mod answers;
mod bakes;
mod connections;
mod http;
mod served;
mod server;
mod site;

use crate::failure::{Answer, Failure};
use crate::report;
use answers::Answers;
use clap::Args;
use served::ServedFiles;
use server::Server;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct StudioArgs {
    /// The level: Wavefront OBJ (.obj), glTF 2.0 (.gltf, .glb) or a geometry set of RecastDemo (.gset); or a
    /// navigation mesh (.navtile). Without it the page starts empty.
    #[arg(value_name = "LEVEL|FILE.navtile")]
    level: Option<PathBuf>,
    /// The settings file, which the page reads and writes. By default LEVEL.toml next to the level; it is
    /// created when the settings are saved.
    #[arg(
        short = 'c',
        long = "config",
        alias = "settings",
        value_name = "SETTINGS.toml",
        requires = "level"
    )]
    config: Option<PathBuf>,
    /// The port on the loopback address. By default any free port.
    #[arg(long, default_value_t = 0)]
    port: u16,
}

pub(crate) fn run(args: &StudioArgs) -> Result<Answer, Failure> {
    let level = args.level.as_deref();
    let files = level.map(|level| ServedFiles::new(level, args.config.as_deref())).transpose()?;
    let server = Server::start(args.port, Answers::new(files))?;
    report::print(&format!(
        "{}\nOpen this address in a browser. Ctrl-C ends the studio.\n",
        server.address()
    ))?;
    Err(server.serve())
}

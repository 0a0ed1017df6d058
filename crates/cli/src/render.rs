//! `navtile render`, and the pictures of `navtile path`: the mesh from above as SVG or PNG.

use crate::failure::{Answer, Failure};
use crate::file_list::FileList;
use crate::files::{Target, is_standard};
use crate::mesh::{self, Loaded};
use crate::{memory, report};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use navdraw::number::counted;
use navdraw::{ColourBy, MeshOptions};
use navtile::Tile;
use std::path::{Path, PathBuf};

/// Width of a PNG, pixels.
const PNG_WIDTH: u32 = 1600;

#[derive(Debug, Args)]
pub(crate) struct RenderArgs {
    /// The .navtile file.
    file: PathBuf,
    /// The picture to write; its extension selects the format.
    #[arg(short, long, value_name = "OUT.svg|OUT.png")]
    output: PathBuf,
    /// Colour polygons by their area, or by the island they belong to.
    #[arg(long, default_value = "area", value_parser = PossibleValuesParser::new(["area", "island"]).map(colour_by))]
    colour: ColourBy,
}

fn colour_by(name: String) -> ColourBy {
    if name == "island" { ColourBy::Island } else { ColourBy::Area }
}

pub(crate) fn run(args: &RenderArgs) -> Result<Answer, Failure> {
    let picture = Picture::new(&args.output, FileList::reading([args.file.as_path()]))?;
    let loaded = mesh::load(&args.file)?;
    let options = MeshOptions { title: title(&args.file), colour_by: args.colour, ..MeshOptions::default() };
    let bytes = picture.draw(&loaded, &options)?;
    let name = args.output.display();
    report::print(&format!(
        "{name}: {}, {}\n",
        counted(loaded.mesh.polygon_count(), "polygon"),
        memory::readable(bytes)
    ))?;
    Ok(Answer::Yes)
}

/// The two kinds of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Svg,
    Png,
}

/// A picture that will be drawn into a file.
pub(crate) struct Picture {
    kind: Kind,
    target: Target,
}

impl Picture {
    /// Checks the name: its ending says the kind, and the file can be made. Standard output takes SVG.
    pub(crate) fn new(path: &Path, mut files: FileList) -> Result<Picture, Failure> {
        let extension =
            path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
        let kind = match extension.as_deref() {
            _ if is_standard(path) => Kind::Svg,
            Some("svg") => Kind::Svg,
            Some("png") => Kind::Png,
            _ => {
                return Err(Failure::call(format!("{}: is neither .svg nor .png", path.display()))
                    .help("give the picture a name that ends in .svg or .png"));
            }
        };
        Ok(Picture { kind, target: files.target(path)? })
    }

    /// Draws the mesh, with a path on it if there is one, and writes the file; returns its size in bytes.
    pub(crate) fn draw(&self, loaded: &Loaded, options: &MeshOptions) -> Result<u64, Failure> {
        let tiles: Vec<Tile> = loaded.mesh.tiles().cloned().collect();
        let picture = navdraw::mesh_picture(&tiles, &loaded.meta.areas, options);
        let bytes = match self.kind {
            Kind::Svg => navdraw::to_svg(&picture).into_bytes(),
            Kind::Png => navdraw::to_png(&picture, PNG_WIDTH)
                .map_err(|error| Failure::of(self.target.path(), error))?,
        };
        self.target.write(&bytes)?;
        Ok(bytes.len() as u64)
    }
}

/// The name of a file without its folders: the title of a picture.
pub(crate) fn title(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

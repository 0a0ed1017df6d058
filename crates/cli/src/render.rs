//! `navtile render`, and the pictures of other commands: the mesh from above as SVG or PNG.

use crate::failure::{Answer, Failure};
use crate::files::{FileList, Target, is_standard};
use crate::mesh::{self, Loaded};
use crate::{memory, report, source, values};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use navdraw::scene::Window;
use navdraw::{ColourBy, LevelEdges, MeshOptions};
use navtile::Tile;
use std::path::{Path, PathBuf};

/// Default width of a PNG, pixels.
const PNG_WIDTH: u32 = 1600;

#[derive(Debug, Args)]
pub(crate) struct RenderArgs {
    /// The .navtile file.
    file: PathBuf,
    /// The picture to write; its extension selects the format.
    #[arg(short, long, value_name = "OUT.svg|OUT.png")]
    output: PathBuf,
    /// Colour polygons by their area or by their island.
    #[arg(long, default_value = "area", value_parser = PossibleValuesParser::new(["area", "island"]).map(colour_by))]
    colour: ColourBy,
    /// Show only the mesh between two heights, metres: one storey of a building.
    #[arg(long, value_name = "LOW,HIGH", value_parser = values::range, allow_hyphen_values = true)]
    heights: Option<[f64; 2]>,
    /// Show only the part of the level between two corners, metres.
    #[arg(long, value_name = "X,Z,X,Z", value_parser = values::window, allow_hyphen_values = true)]
    crop: Option<Window>,
    /// Width of a PNG in pixels, 64 to 16384 [default: 1600]. An SVG has no fixed size.
    #[arg(long, value_name = "PIXELS")]
    size: Option<u32>,
    /// Draw the edges of the level that the mesh was baked from below it.
    #[arg(long, value_name = "LEVEL")]
    outline: Option<PathBuf>,
    /// The settings of that level, which define the reading of its files.
    #[arg(
        short = 'c',
        long = "config",
        alias = "settings",
        value_name = "SETTINGS.toml",
        requires = "outline"
    )]
    config: Option<PathBuf>,
}

fn colour_by(name: String) -> ColourBy {
    if name == "island" { ColourBy::Island } else { ColourBy::Area }
}

pub(crate) fn run(args: &RenderArgs) -> Result<Answer, Failure> {
    let read = [&args.file].into_iter().chain(&args.outline).chain(&args.config);
    let picture =
        Picture::new(&args.output, FileList::reading(read.map(PathBuf::as_path)))?.with_width(args.size)?;
    let loaded = mesh::load(&args.file)?;
    let options = MeshOptions {
        title: title(&args.file),
        colour_by: args.colour,
        window: args.crop,
        heights: args.heights,
        outline: args.outline.as_deref().map(|level| outline(level, args.config.as_deref())).transpose()?,
        ..MeshOptions::default()
    };
    let drawn = picture.draw(&loaded, &options)?;
    let name = args.output.display();
    report::print(&format!("{name}: {}, {}\n", drawn.facts, memory::readable(drawn.bytes)))?;
    Ok(Answer::Yes)
}

fn outline(level: &Path, config: Option<&Path>) -> Result<LevelEdges, Failure> {
    Ok(source::shown_level(level, config)?.as_ref().map(LevelEdges::of_level).unwrap_or_default())
}

/// The two kinds of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Svg,
    Png,
}

/// A picture that was written.
pub(crate) struct Drawn {
    /// Size of the file.
    bytes: u64,
    /// The facts of the picture, or the reason why it is empty.
    facts: String,
}

/// A picture that will be drawn into a file.
pub(crate) struct Picture {
    kind: Kind,
    /// Width of a PNG, pixels.
    width: u32,
    target: Target,
}

impl Picture {
    /// Checks the name: its extension selects the kind, and the file can be made. Standard output takes SVG.
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
        Ok(Picture { kind, width: PNG_WIDTH, target: files.target(path)? })
    }

    /// Changes the width if one is given.
    fn with_width(self, width: Option<u32>) -> Result<Picture, Failure> {
        if width.is_some() && self.kind == Kind::Svg {
            return Err(Failure::call("--size is the width of a PNG, and the picture is an SVG")
                .help("leave it out: an SVG is drawn at any size"));
        }
        Ok(Picture { width: width.unwrap_or(self.width), ..self })
    }

    /// Draws the mesh, with a path on it if there is one, and writes the file.
    pub(crate) fn draw(&self, loaded: &Loaded, options: &MeshOptions) -> Result<Drawn, Failure> {
        let tiles: Vec<Tile> = loaded.mesh.tiles().cloned().collect();
        let picture = navdraw::mesh_picture(&tiles, &loaded.meta.areas, options);
        let bytes = match self.kind {
            Kind::Svg => navdraw::to_svg(&picture).into_bytes(),
            Kind::Png => navdraw::to_png(&picture, self.width)
                .map_err(|error| Failure::of(self.target.path(), error))?,
        };
        self.target.write(&bytes)?;
        Ok(Drawn { bytes: bytes.len() as u64, facts: picture.note.unwrap_or(picture.subtitle) })
    }
}

/// The name of a file without its folders: the title of a picture.
pub(crate) fn title(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

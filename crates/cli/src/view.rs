//! `navtile view`: writes a single-file page that shows a navigation mesh, to send to somebody.

use crate::failure::{Answer, Failure};
use crate::files::FileList;
use crate::{base64, files, report, source};
use clap::Args;
use navdraw::escape;
use navtile::{NavFile, SharedBytes};
use recast::PreparedLevel;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The page without a mesh, as `cargo xtask web` builds it from `web/`.
const PAGE: &str = include_str!("studio/site/view.html");

#[derive(Debug, Args)]
pub(crate) struct ViewArgs {
    /// The navigation mesh.
    #[arg(value_name = "FILE.navtile")]
    file: PathBuf,
    /// The page to write; `-` for standard output.
    #[arg(short, long, value_name = "OUT.html")]
    output: PathBuf,
    /// The level that it was baked from, shown below it.
    #[arg(long, value_name = "LEVEL")]
    level: Option<PathBuf>,
    /// The settings of that level, which define the reading of its files.
    #[arg(
        short = 'c',
        long = "config",
        alias = "settings",
        value_name = "SETTINGS.toml",
        requires = "level"
    )]
    config: Option<PathBuf>,
}

pub(crate) fn run(args: &ViewArgs) -> Result<Answer, Failure> {
    let read = [&args.file].into_iter().chain(&args.level).chain(&args.config);
    let mut list = FileList::reading(read.map(PathBuf::as_path));
    let is_printed = files::is_standard(&args.output);
    let target = (!is_printed).then(|| list.target(&args.output)).transpose()?;
    let bytes = files::read(&args.file)?;
    check(&args.file, &bytes)?;
    let level = match &args.level {
        Some(level) => source::shown_level(level, args.config.as_deref())?,
        None => None,
    };
    let title = args.file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let page = ViewPage { title: &title, file: &bytes, level: level.as_ref(), warnings: &[] }.html();
    match target {
        Some(target) => target.write(page.as_bytes())?,
        None => {
            report::print(&page)?;
        }
    }
    Ok(Answer::Yes)
}

/// Refuses a file that the page could not open, because here the reason is visible.
fn check(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let refused = |error: &dyn std::fmt::Display| Failure::of(path, error);
    let file = NavFile::open_shared(SharedBytes::from(bytes)).map_err(|error| refused(&error))?;
    file.tiles().try_for_each(|tile| tile.map(drop)).map_err(|error| refused(&error))
}

/// The content of a page.
pub(crate) struct ViewPage<'a> {
    pub(crate) title: &'a str,
    /// The bytes of the file.
    pub(crate) file: &'a [u8],
    /// The level that it was baked from.
    pub(crate) level: Option<&'a PreparedLevel>,
    pub(crate) warnings: &'a [ViewWarning<'a>],
}

/// A warning in the list of a page.
#[derive(Debug, Serialize)]
pub(crate) struct ViewWarning<'a> {
    /// Counted from 1.
    pub(crate) number: usize,
    pub(crate) text: &'a str,
    /// The place that the page flies to.
    pub(crate) at: Option<[f64; 3]>,
}

impl ViewPage<'_> {
    /// The page, which needs nothing else.
    pub(crate) fn html(&self) -> String {
        let [vertices, triangles] = self.level.map(triangles_of).unwrap_or_default();
        // Only numbers can fail to become JSON, and these are finite.
        let warnings = serde_json::to_string(self.warnings).unwrap_or_default();
        // The text is in an element that `<` might end.
        let warnings = warnings.replace('<', "\\u003c");
        let parts = [
            ("{{title}}", escape(self.title)),
            ("{{file}}", base64::encode(self.file)),
            ("{{vertices}}", vertices),
            ("{{triangles}}", triangles),
            ("{{warnings}}", warnings),
        ];
        let (mut html, mut rest) = (String::new(), PAGE);
        for (mark, text) in parts {
            if let Some((before, after)) = rest.split_once(mark) {
                html.extend([before, &text]);
                rest = after;
            }
        }
        html + rest
    }
}

/// The vertices of a level, single precision, and the triangles that refer to them, in the page's format.
fn triangles_of(level: &PreparedLevel) -> [String; 2] {
    let mut numbers: BTreeMap<[u32; 3], u32> = BTreeMap::new();
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for triangle in 0..level.triangle_count() {
        for corner in level.corners(triangle) {
            let place = world(level, corner);
            let next = numbers.len() as u32;
            let number = *numbers.entry(place.map(f32::to_bits)).or_insert(next);
            if number == next {
                vertices.extend(place.into_iter().flat_map(f32::to_le_bytes));
            }
            triangles.extend(number.to_le_bytes());
        }
    }
    [base64::encode(&vertices), base64::encode(&triangles)]
}

/// A position of the lattice in the world, metres.
fn world(level: &PreparedLevel, corner: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|axis| (level.lattice.origin[axis] + f64::from(corner[axis])) as f32)
}

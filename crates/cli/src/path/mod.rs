//! `navtile path`: the path from one place to another, or many paths, one per row.

mod answer;
mod args;
mod batch;
mod far;
mod finder;

pub(crate) use args::PathArgs;

use crate::failure::{Answer, Failure};
use crate::files::FileList;
use crate::mesh::{self, Loaded};
use crate::render::{Picture, title};
use crate::report;
use answer::{PathAnswer, Status};
use finder::Finder;
use navdraw::{MeshOptions, PathMark};

pub(crate) fn run(args: &PathArgs) -> Result<Answer, Failure> {
    if let (true, Some(from), Some(to)) = (args.far.far, args.from, args.to) {
        return far::run(args, from, to);
    }
    // A picture that cannot be written is reported before any work.
    let files = FileList::reading([args.ask.file.as_path()]);
    let picture = args.picture.as_deref().map(|path| Picture::new(path, files)).transpose()?;
    let loaded = mesh::load(&args.ask.file)?;
    let mut finder = Finder::new(&loaded, args)?;
    match (&args.batch, args.from, args.to) {
        (Some(pairs), ..) => batch::run(&mut finder, pairs),
        (None, Some(from), Some(to)) => one(args, &mut finder, picture, from, to),
        (None, ..) => {
            Err(Failure::call("a path needs a start and a goal").help("give --from and --to, or --batch"))
        }
    }
}

fn one(
    args: &PathArgs,
    finder: &mut Finder<'_>,
    picture: Option<Picture>,
    from: [f64; 3],
    to: [f64; 3],
) -> Result<Answer, Failure> {
    let answer = finder.find(from, to)?;
    if let Some(picture) = &picture {
        picture.draw(finder.asker.loaded, &drawing(args, finder.asker.loaded, &answer, from, to))?;
    }
    report::answer(args.ask.json, &answer, || answer.text())?;
    Ok(if answer.status == Status::Complete { Answer::Yes } else { Answer::No })
}

/// The drawing: the path, or its known part and the missed goal. Places far off the mesh are left out, so
/// that the mesh remains visible.
fn drawing(
    args: &PathArgs,
    loaded: &Loaded,
    answer: &PathAnswer,
    from: [f64; 3],
    to: [f64; 3],
) -> MeshOptions {
    let bounds = mesh::bounds(loaded.mesh.tiles());
    let near = |place: &[f64; 3]| bounds.is_some_and(|bounds| is_near(*place, bounds));
    let complete = answer.status == Status::Complete;
    let start = || Some(from).filter(near).into_iter().collect();
    let mark = PathMark {
        points: if answer.points.is_empty() { start() } else { answer.points.clone() },
        start_label: "start".to_owned(),
        end_label: if complete { "goal".to_owned() } else { String::new() },
        target: Some(to).filter(|to| !complete && near(to)),
    };
    MeshOptions { title: title(&args.ask.file), path: Some(mark), ..MeshOptions::default() }
}

/// Returns true if a place, seen from above, is no farther from a box than the box is wide.
fn is_near(place: [f64; 3], [min, max]: [[f64; 3]; 2]) -> bool {
    let width = (max[0] - min[0]).max(max[2] - min[2]);
    [0, 2].into_iter().all(|axis| place[axis] >= min[axis] - width && place[axis] <= max[axis] + width)
}

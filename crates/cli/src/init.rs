//! `navtile init`: writes a commented settings file.

use crate::args::InitArgs;
use crate::failure::{Answer, Failure};
use crate::files::Target;
use crate::report;
use std::path::Path;

pub(crate) fn run(args: &InitArgs) -> Result<Answer, Failure> {
    let text = navinput::default_toml();
    if args.file == Path::new("-") {
        report::print(text)?;
        return Ok(Answer::Yes);
    }
    let name = args.file.display();
    // Settings that someone has worked on are dearer than the convenience of writing over them.
    if std::fs::symlink_metadata(&args.file).is_ok() {
        return Err(Failure::circumstances(format!("{name}: is there already"))
            .help("give another name: navtile init OTHER.toml"));
    }
    let target = Target::new(&args.file, &[])?;
    target.write(text.as_bytes())?;
    report::print(&format!("{name}: every setting with its default; navtile bake LEVEL.obj -c {name}\n"))?;
    Ok(Answer::Yes)
}

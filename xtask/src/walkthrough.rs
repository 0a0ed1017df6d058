//! The lane `getting-started`: follows docs/getting-started.md word for word, in an empty folder.

use crate::Outcome;
use crate::outputs::root;
use std::process::{Command, Stdio};

const PAGE: &str = "docs/getting-started.md";

/// The commands that a page gives its readers, and the output they should see.
#[derive(Debug, Default, PartialEq)]
struct Walkthrough {
    /// Its `sh` blocks, and commands that write its files, in the order of the page.
    script: String,
    /// The lines of its `text` blocks.
    expected: Vec<String>,
}

pub(crate) fn lane() -> Outcome {
    let Walkthrough { script, expected } = read(&std::fs::read_to_string(root().join(PAGE))?);
    // Not below the repository, as cargo would take the crate for a member of its workspace.
    let folder = std::env::temp_dir().join(format!("navtile-getting-started-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let repository = format!("ln -s '{}' navtile\n", root().display());
    let output = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &(repository + &script)])
        .current_dir(&folder)
        .stderr(Stdio::inherit())
        .output();
    std::fs::remove_dir_all(&folder)?;
    let output = output?;
    let printed = String::from_utf8_lossy(&output.stdout);
    println!("{printed}");
    let missing: Vec<_> = expected.iter().filter(|line| !printed.contains(line.as_str())).collect();
    missing.iter().for_each(|line| println!("{PAGE} says that this is printed: {line}"));
    Ok(output.status.success() && missing.is_empty())
}

/// Reads a page. A block after a line `<!-- file: PATH -->` is a file.
fn read(page: &str) -> Walkthrough {
    let mut walkthrough = Walkthrough::default();
    let mut file = None;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(path) = line.strip_prefix("<!-- file: ").and_then(|rest| rest.strip_suffix(" -->")) {
            file = Some(path);
        }
        let Some(kind) = line.strip_prefix("```") else { continue };
        let block: String =
            lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
        match (file.take(), kind) {
            (Some(path), _) => {
                let folder = format!("mkdir -p \"$(dirname {path})\"\n");
                walkthrough.script += &format!("{folder}cat > {path} <<'END OF FILE'\n{block}END OF FILE\n");
            }
            (None, "sh") => walkthrough.script += &block,
            (None, "text") => walkthrough.expected.extend(block.lines().map(str::to_owned)),
            _ => {}
        }
    }
    walkthrough
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_files_and_output_are_read() {
        let page = "Do\n```sh\ncd a\n```\nand\n```console\nnot this\n```\n<!-- file: b/c.rs -->\n```rust\nd\n```\n\n```text\ne\nf\n```\n";
        let script = "cd a\nmkdir -p \"$(dirname b/c.rs)\"\ncat > b/c.rs <<'END OF FILE'\nd\nEND OF FILE\n";
        let expected = vec!["e".to_owned(), "f".to_owned()];
        assert_eq!(read(page), Walkthrough { script: script.to_owned(), expected });
    }
}

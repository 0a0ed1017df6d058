//! The C++ program: Detour's tile cache, and the bake of whole tiles from kept voxels. It runs in parallel
//! with ours, executes one command at a time, and measures its own CPU time.

use crate::TILE_CELLS;
use detour::Vec3;
use oracle::tile_cache;
use recast::Level;
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// Their names in the table.
pub(crate) const CACHE: &str = "Detour's tile cache";
pub(crate) const VOXELS: &str = "whole tiles from kept voxels, by Recast";

/// The running program.
pub(crate) struct Theirs {
    program: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Theirs {
    /// Compiles the program, and starts it with a level.
    pub(crate) fn new(level: &Level, cell_size: f64) -> Result<Theirs, Box<dyn Error>> {
        let program = std::env::current_exe()?.with_file_name("tile_cache_changes");
        tile_cache::compile("changes.cpp", &["-O3", "-DRC_DISABLE_ASSERTS"], &program)?;
        let path = program.with_extension("level");
        // The box with an area is outside the level.
        let beside = [[-2e6; 3], [-1e6; 3]];
        std::fs::write(&path, tile_cache::text(level, cell_size as f32, TILE_CELLS, beside))?;
        let mut program =
            Command::new(program).arg(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let questions = program.stdin.take().ok_or("the program takes no questions")?;
        let answers = BufReader::new(program.stdout.take().ok_or("the program gives no answers")?);
        Ok(Theirs { program, questions, answers })
    }

    /// Adds an obstacle to the tile cache. Returns the number of tiles built, and the time it took.
    pub(crate) fn come(
        &mut self,
        at: Vec3,
        radius: f64,
        height: f64,
    ) -> Result<(usize, Duration), Box<dyn Error>> {
        self.ask(&format!("cache {} {} {} {radius} {height}", at.x, at.y, at.z))
    }

    /// Removes it.
    pub(crate) fn go(&mut self) -> Result<(usize, Duration), Box<dyn Error>> {
        self.ask("uncache")
    }

    /// Builds the tiles around a cylinder from their voxels.
    pub(crate) fn mark(
        &mut self,
        at: Vec3,
        radius: f64,
        height: f64,
    ) -> Result<(usize, Duration), Box<dyn Error>> {
        self.ask(&format!("mark {} {} {} {radius} {height}", at.x, at.y, at.z))
    }

    /// Builds the tiles around a box from their voxels.
    pub(crate) fn solid(&mut self, at: Vec3, side: f64) -> Result<(usize, Duration), Box<dyn Error>> {
        self.ask(&format!("solid {} {} {} {side}", at.x, at.y, at.z))
    }

    /// Builds the same tiles again, without the obstacle.
    pub(crate) fn none(&mut self) -> Result<(usize, Duration), Box<dyn Error>> {
        self.ask("none")
    }

    fn ask(&mut self, question: &str) -> Result<(usize, Duration), Box<dyn Error>> {
        writeln!(self.questions, "{question}")?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        let numbers = answer.trim().split_once(' ').ok_or_else(|| format!("{question}: no answer"))?;
        Ok((numbers.0.parse()?, Duration::from_nanos(numbers.1.parse()?)))
    }
}

impl Drop for Theirs {
    fn drop(&mut self) {
        // An empty line is not a command, so it ends the program.
        let _ = writeln!(self.questions);
        let _ = self.program.wait();
    }
}

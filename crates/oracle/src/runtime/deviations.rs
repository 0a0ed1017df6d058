//! Questions that the runtime and the C++ library deliberately answer differently, each under its id in
//! docs/deviations.md. Any difference that is not listed here is a failure.

/// A difference in the answers to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerDeviation {
    /// Its id in docs/deviations.md.
    pub id: &'static str,
    /// The questions that show it.
    pub questions: &'static [&'static str],
    /// The most of 10,000 questions that may show it on any one mesh.
    pub most: u32,
    /// The reason, in a sentence; docs/deviations.md says more.
    pub reason: &'static str,
}

/// All intended deviations.
pub const DEVIATIONS: &[AnswerDeviation] = &[
    AnswerDeviation {
        id: "nearest-box",
        questions: &["nearest polygon"],
        most: 2_500,
        reason: "the box limits the point that is found, not the bounds of its polygon; and ground in the box is found",
    },
    AnswerDeviation {
        id: "nearest-order",
        questions: &["nearest polygon"],
        most: 100,
        reason: "of polygons within a climb below or above, the closer one is taken, not the first met",
    },
    AnswerDeviation {
        id: "partial-end",
        questions: &["find path"],
        most: 4_500,
        reason: "a path to what cannot be reached ends at the place nearest to it, not in the polygon whose edge \
                 was nearest",
    },
    AnswerDeviation {
        id: "entry-points",
        questions: &["find path"],
        most: 1_000,
        reason: "the search judges polygons by the points where it enters them, not by the middles of edges, so that \
                 a few paths are longer",
    },
    AnswerDeviation {
        id: "seam-bytes",
        questions: &["straight path", "polygons around circle", "shortest path"],
        most: 20,
        reason: "openings across seams are exact, not cut to steps of 1/255 edge",
    },
    AnswerDeviation {
        id: "end-on-surface",
        questions: &["straight path"],
        most: 400,
        reason: "an end beside its polygon is moved to the outline of its detail surface, not to its edges",
    },
    AnswerDeviation {
        id: "ray-corners",
        questions: &["raycast"],
        most: 60,
        reason: "a ray may touch corners, whichever side the ground goes on",
    },
    AnswerDeviation {
        id: "slide-reach",
        questions: &["move along surface"],
        most: 100,
        reason: "how far a move may lead about is measured as seen from above, as the move is",
    },
    AnswerDeviation {
        id: "slide-seams",
        questions: &["move along surface"],
        most: 20,
        reason: "at a seam only the part of an edge with something beyond is open",
    },
    AnswerDeviation {
        id: "circle-points",
        questions: &["polygons around circle"],
        most: 6_500,
        reason: "a polygon's point moves with its way, it does not stay where the first way entered",
    },
    AnswerDeviation {
        id: "circle-rounding",
        questions: &["polygons around circle", "local neighbourhood"],
        most: 5,
        reason: "whether a circle meets an opening is decided in f64, not in f32",
    },
    AnswerDeviation {
        id: "linked-overlap",
        questions: &["local neighbourhood"],
        most: 10,
        reason: "polygons that overlap do so whatever links there are",
    },
    AnswerDeviation {
        id: "shorter",
        questions: &["shortest path"],
        most: 5_600,
        reason: "the shortest path is shorter than the string through the polygons that a search over midpoints finds",
    },
];

impl AnswerDeviation {
    /// Number of `asked` questions that may show it: the listed share, and an allowance for chance of three
    /// times the deviation of a binomial count.
    pub fn allowed(&self, asked: usize) -> usize {
        let expected = asked as f64 * f64::from(self.most) / 10_000.0;
        (expected + 3.0 * expected.sqrt()).ceil() as usize + 1
    }
}

/// The deviation of this id that a question may show.
pub fn listed(question: &str, id: &str) -> Option<&'static AnswerDeviation> {
    // The rows of a test file name their kind before the question.
    let question = question.rsplit(": ").next().unwrap_or(question);
    DEVIATIONS.iter().find(|deviation| deviation.id == id && deviation.questions.contains(&question))
}

/// Everything that is listed, as text.
pub fn list() -> String {
    let mut text = String::from(
        "Deviations of the runtime, with the most of 10,000 questions that may show each on any mesh:\n",
    );
    for AnswerDeviation { id, questions, most, reason } in DEVIATIONS {
        text.push_str(&format!("  {id}: {reason}\n    {most} x {}\n", questions.join(", ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deviation_is_meant_for_its_own_questions() {
        assert!(listed("raycast", "ray-corners").is_some() && listed("rc: raycast", "ray-corners").is_some());
        assert!(listed("height", "ray-corners").is_none() && listed("raycast", "seam-bytes").is_none());
    }

    #[test]
    fn chance_is_allowed_for() {
        let deviation = AnswerDeviation { id: "any", questions: &["height"], most: 100, reason: "" };
        assert_eq!([0, 100, 10_000].map(|asked| deviation.allowed(asked)), [1, 5, 131]);
    }
}

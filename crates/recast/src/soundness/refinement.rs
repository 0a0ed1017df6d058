//! Regions that are simplified less than asked for, because their outlines could not be used.

use crate::data::{RawContours, RegionId};
use crate::observer::{DiagnosticKind, Report};

/// The level of refinement of each region: the number of times that its error is halved, compared with the
/// parameters. Regions whose contours could not be used are refined, step by step, until they can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refinement(Vec<u8>);

impl Refinement {
    /// From this level on, the raw outline is kept, also along other regions.
    pub const RAW: u8 = 3;

    /// No region is refined.
    pub fn none(raw: &RawContours) -> Refinement {
        Refinement(vec![0; raw.region_count as usize + 1])
    }

    /// Refines a region by one more step. Returns false if it is raw already.
    pub fn raise(&mut self, region: RegionId) -> bool {
        let level = &mut self.0[region.index()];
        let raised = *level < Refinement::RAW;
        *level += u8::from(raised);
        raised
    }

    /// Number of times that the error of a region is halved.
    pub fn level(&self, region: RegionId) -> u8 {
        self.0[region.index()]
    }

    /// The level of an edge between two regions: the finer of their two levels, so that both follow it alike.
    pub(crate) fn of_edge(&self, region: RegionId, beyond: RegionId) -> u8 {
        self.level(region).max(self.level(beyond))
    }

    /// Reports the regions that had to be simplified less than asked for.
    pub(crate) fn report(&self, raw: &RawContours, report: &mut Report) {
        let refined = raw.contours.iter().filter(|contour| self.level(contour.region) > 0);
        let mut seen = RegionId::NONE;
        for contour in refined {
            if std::mem::replace(&mut seen, contour.region) == contour.region {
                continue;
            }
            let how = match self.level(contour.region) {
                Refinement::RAW => "it follows the cells exactly".to_owned(),
                level => format!("it was simplified by 1/{} of that", 1 << level),
            };
            let what = format!(
                "an outline would have crossed itself when simplified by contours.max_error, so {how}: the mesh is sound \
                 there, with a few more vertices"
            );
            let place = contour.vertices[0].position;
            report.at_place(DiagnosticKind::RefinedContour, place, what);
        }
    }
}

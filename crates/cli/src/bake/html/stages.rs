//! What the time went into: a bar a stage.

use super::Page;
use super::figures::{counted, duration, percent};
use super::markup::Html;
use std::time::Duration;

pub(super) fn write(html: &mut Html, page: &Page<'_>) {
    html.section("stages", "Time by stage", |html| {
        let total: Duration = page.stages.iter().map(|(_, elapsed)| *elapsed).sum();
        if page.stages.is_empty() {
            html.paragraph("No stage ran: every tile was taken over from the last bake.");
            return;
        }
        let threads = counted(page.threads, "thread");
        html.paragraph(&format!(
            "{} in all stages, summed over tiles, on {threads}; {} from start to end.",
            duration(total),
            duration(page.elapsed)
        ));
        let most = page.stages.iter().map(|(_, elapsed)| *elapsed).max().unwrap_or_default();
        html.table(&["Stage", "", "#Share", "#Time"], |rows| {
            for (stage, elapsed) in page.stages {
                let share = percent(elapsed.as_secs_f64(), total.as_secs_f64());
                let width = percent(elapsed.as_secs_f64(), most.as_secs_f64());
                rows.row("", 4, |html, column| match column {
                    0 => {
                        html.text(&stage.name().replace('_', " "));
                    }
                    1 => {
                        html.element("div", &[("class", "bar")], |html| {
                            html.leaf("div", &[("style", &format!("width:{width:.1}%"))], "");
                        });
                    }
                    2 => {
                        html.text(&format!("{share:.1} %"));
                    }
                    _ => {
                        html.text(&duration(*elapsed));
                    }
                });
            }
        });
    });
}

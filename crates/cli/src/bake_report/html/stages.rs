//! The time of each stage, as bars.

use super::figures::{counted, duration, percent};
use super::markup::Html;
use super::page::Page;
use std::time::Duration;

pub(crate) fn write(html: &mut Html, page: &Page<'_>) {
    html.section("stages", "Time by stage", |html| {
        let total: Duration = page.report.stage_times.iter().map(|(_, elapsed)| *elapsed).sum();
        if page.report.stage_times.is_empty() {
            html.paragraph("No stage ran: every tile was reused from the previous bake.");
            return;
        }
        let threads = counted(page.report.threads, "thread");
        html.paragraph(&format!(
            "{} in all stages, summed over tiles, on {threads}; {} from start to end.",
            duration(total),
            duration(page.report.elapsed)
        ));
        let most = page.report.stage_times.iter().map(|(_, elapsed)| *elapsed).max().unwrap_or_default();
        html.table(&["Stage", "", "#Share", "#Time"], |rows| {
            for (stage, elapsed) in page.report.stage_times {
                let share = percent(elapsed.as_secs_f64(), total.as_secs_f64());
                let width = percent(elapsed.as_secs_f64(), most.as_secs_f64());
                let mut bar = Html::default();
                bar.element("div", &[("class", "bar")], |html| {
                    html.leaf("div", &[("style", &format!("width:{width:.1}%"))], "");
                });
                let name = Html::of_text(&stage.name().replace('_', " "));
                let texts = [format!("{share:.1} %"), duration(*elapsed)].map(|text| Html::of_text(&text));
                let [share, time] = texts;
                rows.row("", &[name, bar, share, time]);
            }
        });
    });
}

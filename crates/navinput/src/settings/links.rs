//! `[[links]]`: profiles of links that the bake generates.

use super::keys::{LINKS, LINKS_KEYS};
use super::reader::{SettingsReader, TomlValue, integer, number, numbers, shown};
use recast::{LinkKind, LinkProfile};
use std::ops::Range;
use toml::de::DeTable;

impl SettingsReader<'_> {
    pub(super) fn take_links(&mut self, path: &str, entries: &DeTable<'_>, span: Range<usize>) {
        let problems = self.problem_count();
        let kind = entries.get(LINKS_KEYS[0]).and_then(|value| self.link_kind(path, value));
        let mut profile = LinkProfile::new(kind.unwrap_or(LinkKind::Drop));
        for (key, value) in entries.iter() {
            let name = key.get_ref().as_ref();
            if !LINKS_KEYS.contains(&name) {
                self.unknown(LINKS, name, key.span());
                continue;
            }
            let path = format!("{path}.{name}");
            self.take_link_key(&mut profile, name, &path, value);
            self.remember(path, value.span());
        }
        self.require(path, (entries, &span), &LINKS_KEYS[..2], "profile of this kind");
        // The other kinds are not identified by the width of a gap, and have no surface.
        match kind {
            Some(LinkKind::Jump) => self.require(path, (entries, &span), &["distance"], "jump"),
            Some(LinkKind::Ladder) => self.require(path, (entries, &span), &["surface"], "ladder"),
            _ => {}
        }
        self.check_arc(path, entries);
        // Ranges are checked with all settings later; the place of a profile follows the order of the file.
        if self.problem_count() == problems || kind.is_some() {
            self.settings.links.push(profile);
        }
    }

    /// Checks that the arc is given by its height or by a speed, but not by both.
    fn check_arc(&mut self, path: &str, entries: &DeTable<'_>) {
        let place = |key: &str| entries.get(key).map(|value| value.span());
        if let (Some(span), Some(_)) = (place("speed"), place("arc")) {
            let what =
                format!("`{path}.speed` and `{path}.arc` are both given, but only one may set the arc");
            self.note(span, what, Some("leave one of them out".to_owned()));
        }
        if let (Some(span), None) = (place("gravity"), place("speed")) {
            let what = format!("`{path}.gravity` is given without `{path}.speed`, which it requires");
            self.note(span, what, Some("give a speed of take-off, or leave it out".to_owned()));
        }
    }

    fn link_kind(&mut self, path: &str, value: &TomlValue<'_>) -> Option<LinkKind> {
        let given = value.get_ref().as_str();
        let kind = LinkKind::ALL.into_iter().find(|kind| given == Some(kind.name()));
        if kind.is_none() {
            let path = format!("{path}.{}", LINKS_KEYS[0]);
            match given {
                Some(given) => {
                    let names = LinkKind::ALL.iter().map(|kind| kind.name());
                    let expected = "\"drop\", \"jump\", \"climb\" or \"ladder\"";
                    self.unknown_name(&path, value.span(), &shown(given), names, expected);
                }
                None => self.wrong_type(&path, value, "\"drop\", \"jump\", \"climb\" or \"ladder\""),
            }
        }
        kind
    }

    fn take_link_key(&mut self, profile: &mut LinkProfile, name: &str, path: &str, value: &TomlValue<'_>) {
        let given = value.get_ref();
        match name {
            "height" => match numbers(given) {
                Some(height) => profile.height = height,
                None => {
                    let expected = match profile.kind {
                        LinkKind::Jump => "two numbers of metres: [down, up]",
                        LinkKind::Drop | LinkKind::Climb | LinkKind::Ladder => {
                            "two numbers of metres: [least, most]"
                        }
                    };
                    self.wrong_type(path, value, expected);
                }
            },
            "distance" => match numbers(given) {
                Some(distance) => profile.distance = Some(distance),
                None => self.wrong_type(path, value, "two numbers of metres: [least, most]"),
            },
            "arc" | "speed" | "gravity" | "worth" | "spacing" => match number(given) {
                Some(number) if name == "arc" => profile.arc = number,
                Some(number) if name == "speed" => profile.speed = Some(number),
                Some(number) if name == "gravity" => profile.gravity = number,
                Some(number) if name == "worth" => profile.worth = number,
                Some(number) => profile.spacing = number,
                None => self.wrong_type(path, value, "a number"),
            },
            "both_ways" => match given.as_bool() {
                Some(both_ways) => profile.both_ways = both_ways,
                None => self.wrong_type(path, value, "true or false"),
            },
            "surface" => profile.surface = self.area_of(path, value).or(profile.surface),
            "area" => profile.area = self.area_of(path, value).unwrap_or(profile.area),
            "flags" => match integer(given).and_then(|flags| u32::try_from(flags).ok()) {
                Some(flags) => profile.flags = Some(flags),
                None => self.wrong_type(path, value, "a whole number of 32 bits, such as 0x01"),
            },
            // The kind is read first.
            _ => {}
        }
    }
}

//! Link profiles in the head of a shard file, and the volumes that mark ladders: links are generated when
//! shard files are joined.

use super::Damage;
use super::bytes::{In, Out};
use recast::{AreaId, LinkKind, LinkProfile, Shape, Volume};

fn numbers(out: &mut Out, numbers: &[f64]) {
    numbers.iter().for_each(|number| out.u64(number.to_bits()));
}

pub(super) fn read_area(from: &mut In<'_>) -> Result<AreaId, Damage> {
    u8::try_from(from.read::<u32>()?).map(AreaId).map_err(|_| "an area above 255".to_owned())
}

pub(super) fn write_profile(out: &mut Out, profile: &LinkProfile) {
    let LinkProfile { kind, distance, height, arc, speed, gravity, surface, both_ways, .. } = profile;
    let LinkProfile { area, flags, worth, spacing, .. } = profile;
    out.u32(*kind as u32);
    out.option(*distance, |out, distance| numbers(out, &distance));
    numbers(out, height);
    out.option(*speed, |out, speed| numbers(out, &[speed]));
    numbers(out, &[*arc, *gravity, *worth, *spacing]);
    out.option(*surface, |out, surface| out.u32(u32::from(surface.0)));
    out.u32(u32::from(*both_ways));
    out.u32(u32::from(area.0));
    out.option(*flags, Out::u32);
}

pub(super) fn read_profile(from: &mut In<'_>) -> Result<LinkProfile, Damage> {
    let kind = LinkKind::ALL.get(from.read::<u32>()? as usize).copied();
    let kind = kind.ok_or_else(|| "unknown kind of links".to_owned())?;
    let (distance, height, speed) = (from.option(In::read)?, from.read()?, from.option(In::read)?);
    let [arc, gravity, worth, spacing] = from.read()?;
    let (surface, both_ways) = (from.option(read_area)?, from.read::<u32>()? != 0);
    let (area, flags) = (read_area(from)?, from.option(In::read)?);
    Ok(LinkProfile {
        kind,
        distance,
        height,
        arc,
        speed,
        gravity,
        surface,
        both_ways,
        area,
        flags,
        worth,
        spacing,
    })
}

pub(super) fn write_volume(out: &mut Out, volume: &Volume) {
    out.u32(u32::from(volume.area.0));
    match &volume.shape {
        Shape::Box { min, max } => {
            out.u32(0);
            numbers(out, &[*min, *max].concat());
        }
        Shape::RotatedBox { centre, half_extents, yaw } => {
            out.u32(1);
            numbers(out, &[&centre[..], half_extents, &[*yaw]].concat());
        }
        Shape::Prism { outline, bottom, top } => {
            out.u32(2);
            numbers(out, &[*bottom, *top]);
            out.list(outline, |out, corner| numbers(out, corner));
        }
        Shape::Cylinder { base, radius, height } => {
            out.u32(3);
            numbers(out, &[&base[..], &[*radius, *height]].concat());
        }
        Shape::Capsule { a, b, radius } => {
            out.u32(4);
            numbers(out, &[&a[..], b, &[*radius]].concat());
        }
    }
}

pub(super) fn read_volume(from: &mut In<'_>) -> Result<Volume, Damage> {
    let area = read_area(from)?;
    let shape = match from.read::<u32>()? {
        0 => Shape::Box { min: from.read()?, max: from.read()? },
        1 => Shape::RotatedBox { centre: from.read()?, half_extents: from.read()?, yaw: from.read()? },
        2 => {
            let [bottom, top] = from.read()?;
            Shape::Prism { outline: from.list(In::read)?, bottom, top }
        }
        3 => Shape::Cylinder { base: from.read()?, radius: from.read()?, height: from.read()? },
        4 => Shape::Capsule { a: from.read()?, b: from.read()?, radius: from.read()? },
        other => return Err(format!("unknown kind of shape: {other}")),
    };
    Ok(Volume { shape, area })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_and_volumes_come_back() {
        let of_kind = |kind| LinkProfile::new(kind);
        let profiles = LinkKind::ALL.map(of_kind).into_iter().chain([LinkProfile {
            distance: Some([0.5, 2.0]),
            speed: Some(4.0),
            surface: Some(AreaId(9)),
            flags: Some(77),
            ..of_kind(LinkKind::Jump)
        }]);
        for profile in profiles {
            let mut out = Out::default();
            write_profile(&mut out, &profile);
            let mut from = In::new(&out.0);
            assert_eq!((read_profile(&mut from), from.end()), (Ok(profile), Ok(())));
            for length in 0..out.0.len() {
                assert!(read_profile(&mut In::new(&out.0[..length])).is_err());
            }
        }
        let shapes = [
            Shape::Box { min: [1.0; 3], max: [2.0; 3] },
            Shape::RotatedBox { centre: [3.0; 3], half_extents: [4.0; 3], yaw: 5.0 },
            Shape::Prism { outline: vec![[6.0; 2], [7.0; 2], [8.0; 2]], bottom: 9.0, top: 10.0 },
            Shape::Cylinder { base: [11.0; 3], radius: 12.0, height: 13.0 },
            Shape::Capsule { a: [14.0; 3], b: [15.0; 3], radius: 16.0 },
        ];
        for shape in shapes {
            let (mut out, volume) = (Out::default(), Volume { shape, area: AreaId(5) });
            write_volume(&mut out, &volume);
            let mut from = In::new(&out.0);
            assert_eq!((read_volume(&mut from), from.end()), (Ok(volume), Ok(())));
        }
    }
}

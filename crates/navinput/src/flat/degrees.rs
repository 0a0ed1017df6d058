//! Detects maps whose coordinates are degrees of longitude and latitude, as GeoJSON defines them, instead of
//! metres.
//!
//! A degree is 111 km from south to north and less from west to east, so no single factor converts both to
//! metres: such a map must be projected first, by another program. It is recognised by the coordinate system
//! that it names, or by coordinates that are all in the range of degrees and span less than one.
//! Source: H. Butler and others, The GeoJSON format, RFC 7946, section 4.

use super::FlatLevel;
use std::fmt;

/// Longitudes and latitudes are within this distance from 0.
const REACH: [f64; 2] = [180.0, 90.0];
/// A map in metres is not narrower than this, but a map of a town in degrees is.
const NARROW: f64 = 1.0;
/// Names of coordinate systems in degrees, or parts of such names.
const GEOGRAPHIC: [&str; 3] = ["CRS84", "EPSG::4326", "EPSG:4326"];

/// The evidence that the coordinates of a map are degrees. Displays as a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Degrees {
    /// The coordinate system of the file, if it is one of degrees.
    pub crs: Option<String>,
    /// Extent of the map from west to east, and from south to north.
    pub extent: [f64; 2],
    /// Longitude and latitude of its middle.
    pub middle: [f64; 2],
}

impl FlatLevel {
    /// The evidence that the coordinates, as they were read, are degrees; `None` if they seem to be metres.
    pub fn degrees(&self) -> Option<Degrees> {
        let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in self.layers.iter().flat_map(|layer| layer.points()) {
            for axis in 0..2 {
                min[axis] = min[axis].min(point[axis]);
                max[axis] = max[axis].max(point[axis]);
            }
        }
        let extent = [max[0] - min[0], max[1] - min[1]];
        let within = (0..2).all(|axis| min[axis] >= -REACH[axis] && max[axis] <= REACH[axis]);
        let named = self.crs.as_deref().filter(|crs| GEOGRAPHIC.iter().any(|name| crs.contains(name)));
        let narrow = self.crs.is_none() && extent.iter().all(|wide| *wide < NARROW);
        (within && (named.is_some() || narrow)).then(|| Degrees {
            crs: named.map(str::to_owned),
            extent,
            middle: [0, 1].map(|axis| (min[axis] + max[axis]) / 2.0),
        })
    }
}

impl Degrees {
    /// The zone of the Universal Transverse Mercator projection for the middle, by its EPSG number. Its unit
    /// is the metre, and its lengths are correct to within a few parts in a thousand.
    pub fn utm_zone(&self) -> u32 {
        let [longitude, latitude] = self.middle;
        let zone = (((longitude + 180.0) / 6.0).floor() as u32).min(59) + 1;
        if latitude < 0.0 { 32_700 + zone } else { 32_600 + zone }
    }

    /// The command that converts them to metres.
    pub fn remedy(&self, file: &str) -> String {
        let zone = self.utm_zone();
        format!(
            "project it to metres, with `ogr2ogr -t_srs EPSG:{zone} METRES.geojson {file}`; if its unit is not the degree, \
             give the metres of one unit with --scale"
        )
    }
}

impl fmt::Display for Degrees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y] = self.extent;
        match &self.crs {
            Some(crs) => {
                write!(f, "its coordinates are degrees: its `crs` is {}", crate::label::escaped(crs))
            }
            None => write!(
                f,
                "its coordinates look like degrees: all are within 180 and 90, and the map is {x:.6} by {y:.6}"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::read_geojson;

    /// A rectangle of some width and height with its lower corner at a point.
    fn map([x, y]: [f64; 2], [wide, high]: [f64; 2], crs: &str) -> Option<super::Degrees> {
        let (x2, y2) = (x + wide, y + high);
        let ring = format!("[[{x},{y}],[{x2},{y}],[{x2},{y2}],[{x},{y2}],[{x},{y}]]");
        let text = format!(r#"{{"type":"Polygon",{crs}"coordinates":[{ring}]}}"#);
        read_geojson(text.as_bytes(), &[]).unwrap().degrees()
    }

    #[test]
    fn towns_in_degrees_are_noticed() {
        let berlin = map([13.37, 52.51], [0.02, 0.01], "").unwrap();
        assert_eq!(berlin.utm_zone(), 32_633);
        assert!(berlin.to_string().contains("the map is 0.020000 by 0.010000"), "{berlin}");
        assert!(
            berlin.remedy("berlin.json").contains("`ogr2ogr -t_srs EPSG:32633 METRES.geojson berlin.json`")
        );
        assert_eq!(map([-70.7, -33.5], [0.1, 0.2], "").unwrap().utm_zone(), 32_719);
        assert_eq!(map([179.9, 0.0], [0.1, 0.1], "").unwrap().utm_zone(), 32_660);
        assert_eq!(map([-180.0, 0.0], [0.0, 0.0], "").unwrap().utm_zone(), 32_601);
    }

    #[test]
    fn the_coordinate_system_counts_where_there_is_one() {
        let crs = |name: &str| format!(r#""crs":{{"type":"name","properties":{{"name":"{name}"}}}},"#);
        let degrees = crs("urn:ogc:def:crs:OGC:1.3:CRS84");
        let land = map([5.0, 45.0], [10.0, 8.0], &degrees).unwrap();
        assert!(land.to_string().contains("OGC:1.3:CRS84"), "{land}");
        assert!(map([5.0, 45.0], [0.1, 0.1], &crs("EPSG:4326")).is_some());
        assert_eq!(map([5.0, 45.0], [0.1, 0.1], &crs("urn:ogc:def:crs:EPSG::32633")), None, "a table top");
        assert_eq!(map([500.0, 45.0], [10.0, 8.0], &degrees), None, "no longitude is 500");
    }

    #[test]
    fn maps_in_metres_are_left_alone() {
        assert_eq!(map([0.0, 0.0], [8.0, 8.0], ""), None);
        assert_eq!(map([13.0, 52.0], [0.5, 1.5], ""), None, "a strip");
        assert_eq!(map([389_000.0, 5_819_000.0], [0.5, 0.5], ""), None);
        assert_eq!(map([13.0, 95.0], [0.5, 0.5], ""), None, "no latitude is 95");
    }
}

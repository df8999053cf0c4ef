//! Shapes as WKB to GeoJSON: points, lines, polygons and several of each.

/// The shape as GeoJSON.
pub(super) fn geo_json(bytes: &[u8]) -> Result<String, String> {
    let mut reader = Reader { rest: bytes };
    let mut text = String::new();
    geometry(&mut reader, &mut text)?;
    match reader.rest.is_empty() {
        true => Ok(text),
        false => Err("its shape has bytes behind its end".to_owned()),
    }
}

struct Reader<'b> {
    rest: &'b [u8],
}

/// How numbers are written.
#[derive(Clone, Copy)]
enum Order {
    Big,
    Little,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (first, rest) = self
            .rest
            .split_first_chunk::<N>()
            .ok_or_else(|| "its shape is not whole".to_owned())?;
        self.rest = rest;
        Ok(*first)
    }

    fn order(&mut self) -> Result<Order, String> {
        match self.take::<1>()? {
            [0] => Ok(Order::Big),
            [1] => Ok(Order::Little),
            [other] => Err(format!("its shape has the order of bytes {other}, and not 0 or 1")),
        }
    }

    fn whole(&mut self, order: Order) -> Result<u32, String> {
        let bytes = self.take()?;
        Ok(match order {
            Order::Big => u32::from_be_bytes(bytes),
            Order::Little => u32::from_le_bytes(bytes),
        })
    }

    fn double(&mut self, order: Order) -> Result<f64, String> {
        let bytes = self.take()?;
        let number = match order {
            Order::Big => f64::from_be_bytes(bytes),
            Order::Little => f64::from_le_bytes(bytes),
        };
        number.is_finite().then_some(number).ok_or_else(|| "its shape has no place".to_owned())
    }
}

/// Writes a shape and reads on behind it.
fn geometry(reader: &mut Reader<'_>, text: &mut String) -> Result<(), String> {
    let order = reader.order()?;
    let kind = reader.whole(order)?;
    let name = match kind {
        1 => "Point",
        2 => "LineString",
        3 => "Polygon",
        4 => "MultiPoint",
        5 => "MultiLineString",
        6 => "MultiPolygon",
        other => return Err(format!("its shape is of the kind {other}, which is not supported")),
    };
    text.push_str(&format!("{{\"type\":\"{name}\",\"coordinates\":"));
    match kind {
        1 => point(reader, order, text)?,
        2 => points(reader, order, text)?,
        3 => rings(reader, order, text)?,
        _ => several(reader, order, kind - 3, text)?,
    }
    text.push('}');
    Ok(())
}

/// Lists as many as the shape says, each by a function.
fn list(
    (reader, order): (&mut Reader<'_>, Order),
    text: &mut String,
    mut one: impl FnMut(&mut Reader<'_>, &mut String) -> Result<(), String>,
) -> Result<(), String> {
    text.push('[');
    for number in 0..reader.whole(order)? {
        if 0 < number {
            text.push(',');
        }
        one(reader, text)?;
    }
    text.push(']');
    Ok(())
}

fn point(reader: &mut Reader<'_>, order: Order, text: &mut String) -> Result<(), String> {
    let (x, y) = (reader.double(order)?, reader.double(order)?);
    text.push_str(&format!("[{x},{y}]"));
    Ok(())
}

fn points(reader: &mut Reader<'_>, order: Order, text: &mut String) -> Result<(), String> {
    list((reader, order), text, |reader, text| point(reader, order, text))
}

fn rings(reader: &mut Reader<'_>, order: Order, text: &mut String) -> Result<(), String> {
    list((reader, order), text, |reader, text| points(reader, order, text))
}

/// The coordinates of several shapes of one kind, each with a head of its own.
fn several(
    reader: &mut Reader<'_>,
    order: Order,
    kind: u32,
    text: &mut String,
) -> Result<(), String> {
    list((reader, order), text, |reader, text| {
        let own = reader.order()?;
        if reader.whole(own)? != kind {
            return Err("its shapes are not of one kind".to_owned());
        }
        match kind {
            1 => point(reader, own, text),
            2 => points(reader, own, text),
            _ => rings(reader, own, text),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(kind: u32) -> Vec<u8> {
        [&[1][..], &kind.to_le_bytes()].concat()
    }

    fn position(x: f64, y: f64) -> Vec<u8> {
        [x.to_le_bytes(), y.to_le_bytes()].concat()
    }

    fn ring() -> Vec<u8> {
        let corners =
            [position(0.0, 0.0), position(1.5, 0.0), position(1.5, 2.0), position(0.0, 0.0)];
        [&4_u32.to_le_bytes()[..], &corners.concat()].concat()
    }

    #[test]
    fn geometries_become_geo_json() {
        let point = [head(1), position(-122.5, 37.25)].concat();
        let text = "{\"type\":\"Point\",\"coordinates\":[-122.5,37.25]}";
        assert_eq!(geo_json(&point).as_deref(), Ok(text));
        let mut big = vec![0, 0, 0, 0, 1];
        big.extend([(-122.5_f64).to_be_bytes(), 37.25_f64.to_be_bytes()].concat());
        assert_eq!(geo_json(&big).as_deref(), Ok(text));
        let one = [&1_u32.to_le_bytes()[..], &ring()].concat();
        let polygon = [head(3), one].concat();
        let corners = "[[[0,0],[1.5,0],[1.5,2],[0,0]]]";
        let text = format!("{{\"type\":\"Polygon\",\"coordinates\":{corners}}}");
        assert_eq!(geo_json(&polygon), Ok(text));
        let several = [head(6), 2_u32.to_le_bytes().to_vec(), polygon.clone(), polygon].concat();
        let text = format!("{{\"type\":\"MultiPolygon\",\"coordinates\":[{corners},{corners}]}}");
        assert_eq!(geo_json(&several), Ok(text));
    }

    #[test]
    fn geometries_that_are_none_are_refused_without_much_memory() {
        let point = [head(1), position(0.0, 0.0)].concat();
        let mixed = [head(6), 1_u32.to_le_bytes().to_vec(), point.clone()].concat();
        let endless = [head(2), u32::MAX.to_le_bytes().to_vec()].concat();
        let nowhere = [head(1), position(f64::NAN, 0.0)].concat();
        let behind = [point.clone(), vec![0]].concat();
        for wrong in [&point[..20], &mixed, &endless, &nowhere, &behind, &head(7), &[9], b""] {
            assert!(geo_json(wrong).is_err(), "{wrong:?}");
        }
    }
}

//! A picture and its thumbnail, which must have half of its size: scalars that several
//! outputs show.
//@ complete
//@ y {"height": 5, "width": 2, "thumb_height": 2, "thumb_width": 1}

pub struct Stored {
    height: u16,
    width: u16,
}

pub struct Sizes {
    height: u16,
    width: u16,
    thumb_height: u16,
    thumb_width: u16,
}

pub fn normalize(x: &Stored, y: &mut Sizes) {
    y.height = x.height;
    y.width = x.width;
    y.thumb_height = x.height / 2;
    y.thumb_width = x.width / 2;
}

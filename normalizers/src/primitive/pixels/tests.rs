//! Every way of storing pixels is read back.

use inverter::primitive::test::encodings;

use super::*;

const MASKS: [[i128; 4]; 6] = [
    [0xF800, 0x7E0, 0x1F, 0],
    [0x7C00, 0x3E0, 0x1F, 0],
    [0x7C00, 0x3E0, 0x1F, 0x8000],
    [0xFF_0000, 0xFF00, 0xFF, 0],
    [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000],
    [0xFF00_0000, 0xFF_0000, 0xFF00, 0xFF],
];

/// Every choice gives bytes that decode to the same pixels, and its choices make it again.
#[test]
fn pixels_are_stored_in_many_ways() {
    let mut data = Vec::new();
    for k in 0..5u8 * 3 {
        data.extend([(k % 2) * 255, (k % 3 / 2) * 255, 0, 255]);
    }
    let mut kinds: Vec<[i128; 7]> = Vec::new();
    for (bits, colors) in [(2, 4), (4, 4), (4, 16), (8, 7), (8, 256)] {
        kinds.push([bits, 5, colors, 0, 0, 0, 0]);
    }
    kinds.extend([[1, 5, 0, 0, 0, 0, 0], [8, 5, 0, 0, 0, 0, 0], [4, 5, 9, 0, 0, 0, 255]]);
    for (k, [r, g, b, a]) in MASKS.into_iter().enumerate() {
        kinds.push([if k < 3 { 16 } else { 32 }, 5, 0, r, g, b, a]);
    }
    kinds.push([16, 5, 0, 0xFF, 0xFF, 0xFF, 0xFF00]);
    kinds.push([24, 5, 0, 0xFF_0000, 0xFF00, 0xFF, 0]);
    for args in kinds {
        let mut data = data.clone();
        if args[2] == 0 && (args[0] <= 8 || args[3] == args[5]) {
            data.chunks_exact_mut(4).for_each(|p| p.copy_within(..1, 1));
            data.chunks_exact_mut(4).for_each(|p| p.copy_within(..1, 2));
        }
        let made = encodings(&Pixels, &args, &data, 60).unwrap();
        let loose = Form::parse(&args).unwrap();
        let one = if loose.bits > 8 { loose.loose() == 0 } else { args[2] == 0 && args[0] == 8 };
        assert!(made.len() > 5 || one, "{args:?}");
    }
}

#[test]
fn levels_on_which_readers_differ_are_refused() {
    let taken: Vec<u32> = (0..32).filter(|v| widened(*v, 31).is_some()).collect();
    assert!(taken.contains(&0) && taken.contains(&31) && taken.len() < 32, "{taken:?}");
    assert_eq!(widened(1, 1), Some(255));
    assert_eq!(widened(5, 15), Some(0x55));
    let why = |data: &[u8], args: [i128; 7]| {
        let mut source = ChoiceSource::seeded(0, 0);
        Pixels
            .encode(data, Encoding { args: &args, lengths: &(0..=99), source: &mut source })
            .unwrap_err()
            .to_string()
    };
    let args = [16, 1, 0, 0x7C00, 0x3E0, 0x1F, 0];
    assert_eq!(why(&[9, 0, 0, 255], args), "9 is no level of 31");
    assert_eq!(why(&[0, 0, 0, 9], args), "there is no mask for alpha");
    let two = [1, 1, 1, 0, 0, 0, 0];
    assert_eq!(why(&[0, 0, 0, 255, 1, 1, 1, 255], two), "2 colours do not fit into 1");
    for args in [[3, 1, 1, 0, 0, 0, 0], [16, 1, 0, 0xF0F, 0, 0, 0], [8, 0, 1, 0, 0, 0, 0]] {
        assert!(Pixels.decode(&[0; 9], &args, 99).is_err());
    }
}

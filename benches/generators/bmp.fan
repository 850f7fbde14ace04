# BMP files that all mean the picture of picture.py. The grammar has the choices; generators (:=) have random bytes, and
# pixels that depend on nothing else; constraints have everything that follows from other parts of the file.

from os import urandom
from random import Random, choice, getrandbits, randrange
from struct import pack

from picture import COLORS, HEIGHT, ROWS, WIDTH

<start>  ::= b'BM' <length> b'\0\0\0\0' <offset> <image>
<length> ::= <u32>
<offset> ::= <u32>
where <length> == pack('<I', len(bytes(<start>)))
where <offset> == pack('<I', 14 + len(bytes(<image>[0])) + len(bytes(<gap>)))

<image> ::= <head_24> <gap> <rows_24> \
          | <os2_24> <gap> <up_24> \
          | <head_32> <gap> <rows_bgrx> \
          | <fields_32> <gap> <rows_32> \
          | <head_16> <gap> <rows_555> \
          | <fields_16> <gap> <rows_16> \
          | <head_8> <gap> <indexed_8> \
          | <head_4> <gap> <indexed_4> \
          | <core_8> <gap> <up_i8> \
          | <core_4> <gap> <up_i4>

<gap>   ::= rb'(?s:.)*' := urandom(randrange(33))
<u32>   ::= rb'(?s:.){4}' := urandom(4)
<any>   ::= rb'(?s:.){4}' := urandom(4)
<any12> ::= rb'(?s:.){12}' := urandom(12)
<any16> ::= rb'(?s:.){16}' := urandom(16)
<any48> ::= rb'(?s:.){48}' := urandom(48)

# Headers. The number of rows is negative if they go from the top.
<w>      ::= rb'(?s:.){4}' := pack('<I', WIDTH)
<h>      ::= rb'(?s:.){4}' := pack('<I', HEIGHT)
<w16h16> ::= rb'(?s:.){4}' := pack('<HH', WIDTH, HEIGHT)
<height> ::= <u32>
where <height> == pack('<i', -HEIGHT if goes_down(<image>) else HEIGHT)
def goes_down(image):
    return kind(image).startswith('<down')
def kind(image):
    rows = image.children[2]
    inner = rows.children[0].symbol
    return inner.name() if inner.is_non_terminal else rows.symbol.name()

<core>  ::= b'\x0c\0\0\0' <w16h16> b'\x01\0'
<i40>   ::= b'\x28\0\0\0' <w> <height> b'\x01\0'
<i52>   ::= b'\x34\0\0\0' <w> <height> b'\x01\0'
<i56>   ::= b'\x38\0\0\0' <w> <height> b'\x01\0'
<i64>   ::= b'\x40\0\0\0' <w> <h> b'\x01\0'
<i108>  ::= b'\x6c\0\0\0' <w> <height> b'\x01\0'
<i124>  ::= b'\x7c\0\0\0' <w> <height> b'\x01\0'
<rgb>   ::= b'\0\0\0\0' <size> <any> <any> b'\0\0\0\0' b'\0\0\0\0'
<masks_follow> ::= b'\x03\0\0\0' <size> <any> <any> b'\0\0\0\0' b'\0\0\0\0'
<size>  ::= <nothing> | <all_rows>
<nothing>  ::= b'\0\0\0\0'
<all_rows> ::= <u32>
where <all_rows> == pack('<I', len(bytes(<image>[2])))
<t64>   ::= b'\0\0\0\0\0\0\0\0' <any> <any> b'\0\0\0\0' <any>
<t108>  ::= b'BGRs' <any48>
<intent> ::= b'\x01' | b'\x02' | b'\x04' | b'\x08'
<t124>  ::= <t108> <intent> b'\0\0\0' b'\0\0\0\0\0\0\0\0\0\0\0\0'

<os2_24>  ::= <core> b'\x18\0' | <i64> b'\x18\0' <rgb> <t64>
<head_24> ::= <i40> b'\x18\0' <rgb> \
            | <i52> b'\x18\0' <rgb> <any12> \
            | <i56> b'\x18\0' <rgb> <any16> \
            | <i108> b'\x18\0' <rgb> <any16> <t108> \
            | <i124> b'\x18\0' <rgb> <any16> <t124>

<head_32> ::= <i40> b'\x20\0' <rgb> \
            | <i52> b'\x20\0' <rgb> <any12> \
            | <i56> b'\x20\0' <rgb> <any16> \
            | <i108> b'\x20\0' <rgb> <any16> <t108> \
            | <i124> b'\x20\0' <rgb> <any16> <t124>

<head_16> ::= <i40> b'\x10\0' <rgb> \
            | <i52> b'\x10\0' <rgb> <any12> \
            | <i56> b'\x10\0' <rgb> <any16> \
            | <i108> b'\x10\0' <rgb> <any16> <t108> \
            | <i124> b'\x10\0' <rgb> <any16> <t124>

<fields_32> ::= <i40> b'\x20\0' <masks_follow> <masks> \
              | <i52> b'\x20\0' <masks_follow> <masks> \
              | <i56> b'\x20\0' <masks_follow> <masks> <alpha> \
              | <i108> b'\x20\0' <masks_follow> <masks> <alpha> <t108> \
              | <i124> b'\x20\0' <masks_follow> <masks> <alpha> <t124>

<fields_16> ::= <i40> b'\x10\0' <masks_follow> <masks> \
              | <i52> b'\x10\0' <masks_follow> <masks> \
              | <i56> b'\x10\0' <masks_follow> <masks> <alpha> \
              | <i108> b'\x10\0' <masks_follow> <masks> <alpha> <t108> \
              | <i124> b'\x10\0' <masks_follow> <masks> <alpha> <t124>

# Bit fields: what the rows that were chosen have.
<masks> ::= <any12>
<alpha> ::= <any>
where <masks> == fields(<image>)[:12]
where <alpha> == fields(<image>)[12:]
FIELDS = {
    'bgrx': (0xFF0000, 0xFF00, 0xFF, 0), 'rgbx': (0xFF, 0xFF00, 0xFF0000, 0),
    'xbgr': (0xFF000000, 0xFF0000, 0xFF00, 0), 'bgra': (0xFF0000, 0xFF00, 0xFF, 0xFF000000),
    'rgba': (0xFF, 0xFF00, 0xFF0000, 0xFF000000), '565': (0xF800, 0x7E0, 0x1F, 0),
    '444': (0xF00, 0xF0, 0xF, 0), '555': (0x7C00, 0x3E0, 0x1F, 0), '1555': (0x7C00, 0x3E0, 0x1F, 0x8000),
}
def fields(image):
    return pack('<4I', *FIELDS[kind(image).strip('<>').split('_')[1]])

# Rows: a multiple of four bytes each, and what fills them up is any.
def rows(down, stored, rows=ROWS):
    data = [b''.join(stored(pixel) for pixel in row) for row in rows]
    data = [row + urandom(-len(row) % 4) for row in data]
    return b''.join(data if down else data[::-1])
def bgr(pixel):
    return bytes(pixel[::-1])
def bits(red, green, blue, alpha, size):
    free = ~(red | green | blue | alpha) & 256 ** size - 1
    fields = {color: sum(m for m, sample in zip((red, green, blue), color) if sample) | alpha for color in COLORS}
    return lambda pixel: (fields[pixel] | free & getrandbits(32)).to_bytes(size, 'little')

<rows_24>   ::= <up_24> | <down_24>
<up_24>     ::= rb'(?s:.)*' := rows(False, bgr)
<down_24>   ::= rb'(?s:.)*' := rows(True, bgr)
<rows_bgrx> ::= <up_bgrx> | <down_bgrx>
<rows_555>  ::= <up_555> | <down_555>
<rows_32>   ::= <up_bgrx> | <up_rgbx> | <up_xbgr> | <up_bgra> | <up_rgba> \
              | <down_bgrx> | <down_rgbx> | <down_xbgr> | <down_bgra> | <down_rgba>

<rows_16>   ::= <up_565> | <up_444> | <up_555> | <up_1555> | <down_565> | <down_444> | <down_555> | <down_1555>
<up_bgrx>   ::= rb'(?s:.)*' := rows(False, bits(*FIELDS['bgrx'], 4))
<up_rgbx>   ::= rb'(?s:.)*' := rows(False, bits(*FIELDS['rgbx'], 4))
<up_xbgr>   ::= rb'(?s:.)*' := rows(False, bits(*FIELDS['xbgr'], 4))
<up_bgra>   ::= rb'(?s:.)*' := rows(False, bits(*FIELDS['bgra'], 4))
<up_rgba>   ::= rb'(?s:.)*' := rows(False, bits(*FIELDS['rgba'], 4))
<down_bgrx> ::= rb'(?s:.)*' := rows(True, bits(*FIELDS['bgrx'], 4))
<down_rgbx> ::= rb'(?s:.)*' := rows(True, bits(*FIELDS['rgbx'], 4))
<down_xbgr> ::= rb'(?s:.)*' := rows(True, bits(*FIELDS['xbgr'], 4))
<down_bgra> ::= rb'(?s:.)*' := rows(True, bits(*FIELDS['bgra'], 4))
<down_rgba> ::= rb'(?s:.)*' := rows(True, bits(*FIELDS['rgba'], 4))
<up_565>    ::= rb'(?s:.)*' := rows(False, bits(*FIELDS['565'], 2))
<up_444>    ::= rb'(?s:.)*' := rows(False, bits(*FIELDS['444'], 2))
<up_555>    ::= rb'(?s:.)*' := rows(False, bits(*FIELDS['555'], 2))
<up_1555>   ::= rb'(?s:.)*' := rows(False, bits(*FIELDS['1555'], 2))
<down_565>  ::= rb'(?s:.)*' := rows(True, bits(*FIELDS['565'], 2))
<down_444>  ::= rb'(?s:.)*' := rows(True, bits(*FIELDS['444'], 2))
<down_555>  ::= rb'(?s:.)*' := rows(True, bits(*FIELDS['555'], 2))
<down_1555> ::= rb'(?s:.)*' := rows(True, bits(*FIELDS['1555'], 2))

# Palettes, in any order, with entries that are not used; and the indices that follow from them.
<head_8> ::= <i40> b'\x08\0' <indexed> <palette_8> \
           | <i52> b'\x08\0' <indexed> <any12> <palette_8> \
           | <i56> b'\x08\0' <indexed> <any16> <palette_8> \
           | <i108> b'\x08\0' <indexed> <any16> <t108> <palette_8> \
           | <i124> b'\x08\0' <indexed> <any16> <t124> <palette_8>

<head_4> ::= <i40> b'\x04\0' <indexed> <palette_4> \
           | <i52> b'\x04\0' <indexed> <any12> <palette_4> \
           | <i56> b'\x04\0' <indexed> <any16> <palette_4> \
           | <i108> b'\x04\0' <indexed> <any16> <t108> <palette_4> \
           | <i124> b'\x04\0' <indexed> <any16> <t124> <palette_4>

<core_8> ::= <core> b'\x08\0' <short_palette_8>
<core_4> ::= <core> b'\x04\0' <short_palette_4>
<indexed>   ::= b'\0\0\0\0' <size> <any> <any> <used> <important> b'\0\0\0'
<important> ::= rb'(?s:.)' := bytes([randrange(len(COLORS) + 1)])
<used>      ::= <u32>
where <used> == pack('<I', entries(<image>)[0])
<palette_8> ::= rb'(?s:.)*' := palette(randrange(len(COLORS), 257), 4)
<palette_4> ::= rb'(?s:.)*' := palette(randrange(len(COLORS), 17), 4)
<short_palette_8> ::= rb'(?s:.)*' := palette(256, 3)
<short_palette_4> ::= rb'(?s:.)*' := palette(16, 3)
def palette(count, size):
    colors = COLORS + [choice(COLORS) for _ in range(count - len(COLORS))]
    Random(urandom(8)).shuffle(colors)
    return b''.join(bgr(color) + urandom(size - 3) for color in colors)
def entries(image):
    last = image.children[0].children[-1]
    size = 3 if last.symbol.name().startswith('<short') else 4
    data = bytes(last)
    return len(data) // size, [tuple(data[k:k + 3]) for k in range(0, len(data), size)]

<indexed_8> ::= <up_i8> | <down_i8>
<indexed_4> ::= <up_i4> | <down_i4>
<up_i8>     ::= rb'(?s:.)*' := bytes(stride(8) * HEIGHT)
<down_i8>   ::= rb'(?s:.)*' := bytes(stride(8) * HEIGHT)
<up_i4>     ::= rb'(?s:.)*' := bytes(stride(4) * HEIGHT)
<down_i4>   ::= rb'(?s:.)*' := bytes(stride(4) * HEIGHT)
where <up_i8> == indices(<image>, False, 8)
where <down_i8> == indices(<image>, True, 8)
where <up_i4> == indices(<image>, False, 4)
where <down_i4> == indices(<image>, True, 4)
def stride(bits):
    return (WIDTH * bits + 31) // 32 * 4
def indices(image, down, bits):
    places = {}
    for k, color in enumerate(entries(image)[1]):
        places.setdefault(color[::-1], []).append(k)
    random = Random(bytes(image.children[0]))
    data = []
    for row in ROWS:
        number = 0
        for pixel in row:
            number = number << bits | random.choice(places[tuple(pixel)])
        free = stride(bits) * 8 - WIDTH * bits
        data.append((number << free | random.getrandbits(free)).to_bytes(stride(bits), 'big'))
    return b''.join(data if down else data[::-1])

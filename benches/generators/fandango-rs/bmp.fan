<start>  ::= b'BM' <length> b'\0\0\0\0' <offset> <image> ;
<length> ::= <u32> ;
<offset> ::= <u32> ;

<image> ::= <way> <bgr> <head_24> <gap> <data>
          | <up> <bgr> <os2_24> <gap> <data>
          | <way> <bgrx> <head_32> <gap> <data>
          | <way> <layout_32> <fields_32> <gap> <data>
          | <way> <x555> <head_16> <gap> <data>
          | <way> <layout_16> <fields_16> <gap> <data>
          | <way> <index_8> <head_8> <gap> <data>
          | <way> <index_4> <head_4> <gap> <data>
          | <up> <index_8> <core_8> <gap> <data>
          | <up> <index_4> <core_4> <gap> <data> ;

<way>  ::= <up> | <down> ;
<up>   ::= b'' ;
<down> ::= b'' ;
<bgr>  ::= b'' ;
<layout_32> ::= <bgrx> | <rgbx> | <xbgr> | <bgra> | <rgba> ;
<layout_16> ::= <x565> | <x444> | <x555> | <x1555> ;
<bgrx> ::= b'' ;
<rgbx> ::= b'' ;
<xbgr> ::= b'' ;
<bgra> ::= b'' ;
<rgba> ::= b'' ;
<x565> ::= b'' ;
<x444> ::= b'' ;
<x555> ::= b'' ;
<x1555> ::= b'' ;
<index_8> ::= b'' ;
<index_4> ::= b'' ;

<gap>    ::= <byte>* ;
<data>   ::= <byte>* ;
<w>      ::= <u32> ;
<h>      ::= <u32> ;
<w16>    ::= <byte> <byte> ;
<h16>    ::= <byte> <byte> ;
<height> ::= <u32> ;
<all_rows>  ::= <u32> ;
<masks>     ::= <any12> ;
<alpha>     ::= <any> ;
<used>      ::= <u32> ;
<important> ::= <u32> ;
<palette_8> ::= <byte>* ;
<palette_4> ::= <byte>* ;
<short_palette_8> ::= <byte>* ;
<short_palette_4> ::= <byte>* ;

<core>  ::= b'\x0c\0\0\0' <w16> <h16> b'\x01\0' ;
<i40>   ::= b'\x28\0\0\0' <w> <height> b'\x01\0' ;
<i52>   ::= b'\x34\0\0\0' <w> <height> b'\x01\0' ;
<i56>   ::= b'\x38\0\0\0' <w> <height> b'\x01\0' ;
<i64>   ::= b'\x40\0\0\0' <w> <h> b'\x01\0' ;
<i108>  ::= b'\x6c\0\0\0' <w> <height> b'\x01\0' ;
<i124>  ::= b'\x7c\0\0\0' <w> <height> b'\x01\0' ;
<rgb>   ::= b'\0\0\0\0' <size> <any> <any> b'\0\0\0\0' b'\0\0\0\0' ;
<masks_follow> ::= b'\x03\0\0\0' <size> <any> <any> b'\0\0\0\0' b'\0\0\0\0' ;
<size>  ::= b'\0\0\0\0' | <all_rows> ;
<t64>   ::= b'\0\0\0\0\0\0\0\0' <any> <any> b'\0\0\0\0' <any> ;
<t108>  ::= b'BGRs' <any48> ;
<intent> ::= b'\x01' | b'\x02' | b'\x04' | b'\x08' ;
<t124>  ::= <t108> <intent> b'\0\0\0' b'\0\0\0\0\0\0\0\0\0\0\0\0' ;

<os2_24>  ::= <core> b'\x18\0' | <i64> b'\x18\0' <rgb> <t64> ;
<head_24> ::= <i40> b'\x18\0' <rgb>
            | <i52> b'\x18\0' <rgb> <any12>
            | <i56> b'\x18\0' <rgb> <any16>
            | <i108> b'\x18\0' <rgb> <any16> <t108>
            | <i124> b'\x18\0' <rgb> <any16> <t124> ;

<head_32> ::= <i40> b'\x20\0' <rgb>
            | <i52> b'\x20\0' <rgb> <any12>
            | <i56> b'\x20\0' <rgb> <any16>
            | <i108> b'\x20\0' <rgb> <any16> <t108>
            | <i124> b'\x20\0' <rgb> <any16> <t124> ;

<head_16> ::= <i40> b'\x10\0' <rgb>
            | <i52> b'\x10\0' <rgb> <any12>
            | <i56> b'\x10\0' <rgb> <any16>
            | <i108> b'\x10\0' <rgb> <any16> <t108>
            | <i124> b'\x10\0' <rgb> <any16> <t124> ;

<fields_32> ::= <i40> b'\x20\0' <masks_follow> <masks>
              | <i52> b'\x20\0' <masks_follow> <masks>
              | <i56> b'\x20\0' <masks_follow> <masks> <alpha>
              | <i108> b'\x20\0' <masks_follow> <masks> <alpha> <t108>
              | <i124> b'\x20\0' <masks_follow> <masks> <alpha> <t124> ;

<fields_16> ::= <i40> b'\x10\0' <masks_follow> <masks>
              | <i52> b'\x10\0' <masks_follow> <masks>
              | <i56> b'\x10\0' <masks_follow> <masks> <alpha>
              | <i108> b'\x10\0' <masks_follow> <masks> <alpha> <t108>
              | <i124> b'\x10\0' <masks_follow> <masks> <alpha> <t124> ;

<head_8> ::= <i40> b'\x08\0' <indexed> <palette_8>
           | <i52> b'\x08\0' <indexed> <any12> <palette_8>
           | <i56> b'\x08\0' <indexed> <any16> <palette_8>
           | <i108> b'\x08\0' <indexed> <any16> <t108> <palette_8>
           | <i124> b'\x08\0' <indexed> <any16> <t124> <palette_8> ;

<head_4> ::= <i40> b'\x04\0' <indexed> <palette_4>
           | <i52> b'\x04\0' <indexed> <any12> <palette_4>
           | <i56> b'\x04\0' <indexed> <any16> <palette_4>
           | <i108> b'\x04\0' <indexed> <any16> <t108> <palette_4>
           | <i124> b'\x04\0' <indexed> <any16> <t124> <palette_4> ;

<indexed> ::= b'\0\0\0\0' <size> <any> <any> <used> <important> ;
<core_8> ::= <core> b'\x08\0' <short_palette_8> ;
<core_4> ::= <core> b'\x04\0' <short_palette_4> ;

<u32>   ::= <byte> <byte> <byte> <byte> ;
<any>   ::= <byte> <byte> <byte> <byte> ;
<any12> ::= <any> <any> <any> ;
<any16> ::= <any12> <any> ;
<any48> ::= <any16> <any16> <any16> ;
<byte> ::= b'\x00' | b'\x01' | b'\x02' | b'\x03' | b'\x04' | b'\x05' | b'\x06' | b'\x07'
         | b'\x08' | b'\x09' | b'\x0a' | b'\x0b' | b'\x0c' | b'\x0d' | b'\x0e' | b'\x0f'
         | b'\x10' | b'\x11' | b'\x12' | b'\x13' | b'\x14' | b'\x15' | b'\x16' | b'\x17'
         | b'\x18' | b'\x19' | b'\x1a' | b'\x1b' | b'\x1c' | b'\x1d' | b'\x1e' | b'\x1f'
         | b'\x20' | b'\x21' | b'\x22' | b'\x23' | b'\x24' | b'\x25' | b'\x26' | b'\x27'
         | b'\x28' | b'\x29' | b'\x2a' | b'\x2b' | b'\x2c' | b'\x2d' | b'\x2e' | b'\x2f'
         | b'\x30' | b'\x31' | b'\x32' | b'\x33' | b'\x34' | b'\x35' | b'\x36' | b'\x37'
         | b'\x38' | b'\x39' | b'\x3a' | b'\x3b' | b'\x3c' | b'\x3d' | b'\x3e' | b'\x3f'
         | b'\x40' | b'\x41' | b'\x42' | b'\x43' | b'\x44' | b'\x45' | b'\x46' | b'\x47'
         | b'\x48' | b'\x49' | b'\x4a' | b'\x4b' | b'\x4c' | b'\x4d' | b'\x4e' | b'\x4f'
         | b'\x50' | b'\x51' | b'\x52' | b'\x53' | b'\x54' | b'\x55' | b'\x56' | b'\x57'
         | b'\x58' | b'\x59' | b'\x5a' | b'\x5b' | b'\x5c' | b'\x5d' | b'\x5e' | b'\x5f'
         | b'\x60' | b'\x61' | b'\x62' | b'\x63' | b'\x64' | b'\x65' | b'\x66' | b'\x67'
         | b'\x68' | b'\x69' | b'\x6a' | b'\x6b' | b'\x6c' | b'\x6d' | b'\x6e' | b'\x6f'
         | b'\x70' | b'\x71' | b'\x72' | b'\x73' | b'\x74' | b'\x75' | b'\x76' | b'\x77'
         | b'\x78' | b'\x79' | b'\x7a' | b'\x7b' | b'\x7c' | b'\x7d' | b'\x7e' | b'\x7f'
         | b'\x80' | b'\x81' | b'\x82' | b'\x83' | b'\x84' | b'\x85' | b'\x86' | b'\x87'
         | b'\x88' | b'\x89' | b'\x8a' | b'\x8b' | b'\x8c' | b'\x8d' | b'\x8e' | b'\x8f'
         | b'\x90' | b'\x91' | b'\x92' | b'\x93' | b'\x94' | b'\x95' | b'\x96' | b'\x97'
         | b'\x98' | b'\x99' | b'\x9a' | b'\x9b' | b'\x9c' | b'\x9d' | b'\x9e' | b'\x9f'
         | b'\xa0' | b'\xa1' | b'\xa2' | b'\xa3' | b'\xa4' | b'\xa5' | b'\xa6' | b'\xa7'
         | b'\xa8' | b'\xa9' | b'\xaa' | b'\xab' | b'\xac' | b'\xad' | b'\xae' | b'\xaf'
         | b'\xb0' | b'\xb1' | b'\xb2' | b'\xb3' | b'\xb4' | b'\xb5' | b'\xb6' | b'\xb7'
         | b'\xb8' | b'\xb9' | b'\xba' | b'\xbb' | b'\xbc' | b'\xbd' | b'\xbe' | b'\xbf'
         | b'\xc0' | b'\xc1' | b'\xc2' | b'\xc3' | b'\xc4' | b'\xc5' | b'\xc6' | b'\xc7'
         | b'\xc8' | b'\xc9' | b'\xca' | b'\xcb' | b'\xcc' | b'\xcd' | b'\xce' | b'\xcf'
         | b'\xd0' | b'\xd1' | b'\xd2' | b'\xd3' | b'\xd4' | b'\xd5' | b'\xd6' | b'\xd7'
         | b'\xd8' | b'\xd9' | b'\xda' | b'\xdb' | b'\xdc' | b'\xdd' | b'\xde' | b'\xdf'
         | b'\xe0' | b'\xe1' | b'\xe2' | b'\xe3' | b'\xe4' | b'\xe5' | b'\xe6' | b'\xe7'
         | b'\xe8' | b'\xe9' | b'\xea' | b'\xeb' | b'\xec' | b'\xed' | b'\xee' | b'\xef'
         | b'\xf0' | b'\xf1' | b'\xf2' | b'\xf3' | b'\xf4' | b'\xf5' | b'\xf6' | b'\xf7'
         | b'\xf8' | b'\xf9' | b'\xfa' | b'\xfb' | b'\xfc' | b'\xfd' | b'\xfe' | b'\xff' ;

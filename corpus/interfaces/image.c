/* The interface of the crate image for reading, as a model: which calls may follow each other on one
   reader. A reader becomes a decoder, and a decoder a picture; each step takes what it was made of. */
#include <assert.h>

static _Bool has_reader, has_decoder;

/* 0 with the format named, 1 with a guessed one */
void open_reader(int kind)
{
    assert(!has_reader && !has_decoder && kind >= 0 && kind <= 1);
    has_reader = 1;
}

void reader_limits(void) { assert(has_reader); }

void reader_dimensions(void)
{
    assert(has_reader);
    has_reader = 0;
}

void decode(void)
{
    assert(has_reader);
    has_reader = 0;
}

void into_decoder(void)
{
    assert(has_reader);
    has_reader = 0;
    has_decoder = 1;
}

/* codecs::tiff::TiffDecoder, without a reader */
void open_decoder(void)
{
    assert(!has_reader && !has_decoder);
    has_decoder = 1;
}

void dimensions(void) { assert(has_decoder); }
void color_type(void) { assert(has_decoder); }
void original_color_type(void) { assert(has_decoder); }
void total_bytes(void) { assert(has_decoder); }
void icc_profile(void) { assert(has_decoder); }
void exif_metadata(void) { assert(has_decoder); }
void xmp_metadata(void) { assert(has_decoder); }
void iptc_metadata(void) { assert(has_decoder); }
void orientation(void) { assert(has_decoder); }
void set_limits(void) { assert(has_decoder); }

void from_decoder(void)
{
    assert(has_decoder);
    has_decoder = 0;
}

void read_image(void)
{
    assert(has_decoder);
    has_decoder = 0;
}

void read_image_boxed(void)
{
    assert(has_decoder);
    has_decoder = 0;
}

/* The interface of the crate tiff for reading, tiff::decoder::Decoder, as a model: which calls may follow
   each other on one decoder. PAGES is the number of pages of the file. */
#include <assert.h>

#ifndef PAGES
#define PAGES 1
#endif

static _Bool is_open;
static int page;

static void may_read(void) { assert(is_open); }

/* 0 Decoder::new, 1 with_limits(Limits::unlimited()), 2 from a reader that returns few bytes at a time */
void open_decoder(int kind)
{
    assert(!is_open && kind >= 0 && kind <= 2);
    is_open = 1;
    page = 0;
}

void drop_decoder(void)
{
    may_read();
    is_open = 0;
    page = 0;
}

void next_image(void)
{
    may_read();
    assert(page < PAGES - 1);
    page++;
}

void seek_to_image(int n)
{
    may_read();
    assert(n >= 0 && n < PAGES);
    page = n;
}

void more_images(void) { may_read(); }
void dimensions(void) { may_read(); }
void colortype(void) { may_read(); }
void chunk_dimensions(void) { may_read(); }
void chunk_count(void) { may_read(); }
void buffer_layout(void) { may_read(); }
void find_tag(void) { may_read(); }
void all_tags(void) { may_read(); }
void directory_again(void) { may_read(); }
void move_reader(void) { may_read(); }
void read_image(void) { may_read(); }
void read_image_to_buffer(void) { may_read(); }
void read_image_bytes(void) { may_read(); }

/* 0 the first, 1 the last */
void read_chunk(int which)
{
    may_read();
    assert(which >= 0 && which <= 1);
}

void read_chunk_to_buffer(int which)
{
    may_read();
    assert(which >= 0 && which <= 1);
}

void read_chunk_bytes(int which)
{
    may_read();
    assert(which >= 0 && which <= 1);
}

void read_all_chunks(void) { may_read(); }

/* a chunk that is not there: refused, and then all is as before */
void read_no_chunk(void) { may_read(); }

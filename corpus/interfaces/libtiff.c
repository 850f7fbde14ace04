/* The interface of libtiff for reading, as a model: which calls may follow each other on one handle.
   PAGES is the number of pages of the file. A row is read in order, from the first row of a strip on,
   as compressed rows cannot be reached otherwise. libtiff.toml says how it is used. */
#include <assert.h>

#ifndef PAGES
#define PAGES 1
#endif

static _Bool is_open;
static _Bool loaded;     /* a directory was read; not yet after opening with "h" */
static _Bool converting; /* between TIFFRGBAImageBegin and TIFFRGBAImageEnd */
static _Bool in_rows;    /* a row was read, and there are more */
static int page;

static void at_page(int n)
{
    page = n;
    loaded = 1;
    in_rows = 0;
}

static void may_read(void) { assert(is_open && loaded); }
static void may_move(void) { assert(is_open && !converting); }

/* 0 "r", 1 "rm": without a mapped file, 2 "rc": strips as they are, 3 "rO": offsets on demand, 4 "rh": only the header */
void open_file(int mode)
{
    assert(!is_open && mode >= 0 && mode <= 4);
    is_open = 1;
    at_page(0);
    loaded = mode != 4;
}

void close_file(void)
{
    may_move();
    is_open = 0;
    loaded = 0;
    in_rows = 0;
    page = 0;
}

void next_directory(void)
{
    may_move();
    if (!loaded) {
        at_page(0);
        return;
    }
    assert(page < PAGES - 1);
    at_page(page + 1);
}

void set_directory(int n)
{
    may_move();
    assert(n >= 0 && n < PAGES);
    at_page(n);
}

/* TIFFSetSubDirectory to the current directory */
void again_directory(void)
{
    may_move();
    assert(loaded);
    in_rows = 0;
}

void count_directories(void) { assert(is_open); }
void get_fields(void) { may_read(); }
void get_places(void) { may_read(); }

void first_row(void)
{
    may_read();
    in_rows = 1;
}

/* the first row of the last strip */
void row_of_last_strip(void)
{
    may_read();
    in_rows = 1;
}

void next_row(void)
{
    may_read();
    assert(in_rows);
}

void other_rows(void)
{
    may_read();
    assert(in_rows);
    in_rows = 0;
}

/* strips or tiles: 0 the first, 1 the last */
void read_part(int which)
{
    may_read();
    assert(which >= 0 && which <= 1);
    in_rows = 0;
}

void read_part_start(void)
{
    may_read();
    in_rows = 0;
}

void read_raw(int which)
{
    may_read();
    assert(which >= 0 && which <= 1);
    in_rows = 0;
}

/* TIFFReadFromUserBuffer */
void decode_raw(int which)
{
    may_read();
    assert(which >= 0 && which <= 1);
    in_rows = 0;
}

void rgba_image(void)
{
    may_read();
    in_rows = 0;
}

void rgba_part(int which)
{
    may_read();
    assert(which >= 0 && which <= 1);
    in_rows = 0;
}

void rgba_begin(void)
{
    may_read();
    assert(!converting);
    converting = 1;
}

void rgba_get(void)
{
    may_read();
    assert(converting);
    in_rows = 0;
}

void rgba_end(void)
{
    may_read();
    assert(converting);
    converting = 0;
}

/* Reading a TIFF of three directories and two rows in order, as by scanlines. */
#include <assert.h>
static int is_open, directory, row;

void tiff_open(void) { assert(!is_open); is_open = 1; directory = 0; row = 0; }

void tiff_read_directory(void)
{
    assert(is_open && directory < 2);
    directory++;
    row = 0;
}

void tiff_set_directory(int n)
{
    assert(is_open);
    switch (n) {
    case 0: case 1: case 2:
        directory = n;
        row = 0;
        break;
    default:
        assert(0);
    }
}

void tiff_read_scanline(void) { assert(is_open && row < 2); row++; }

void tiff_close(void) { assert(is_open); is_open = 0; }

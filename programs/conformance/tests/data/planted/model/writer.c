#include "format.h"

static void header(void)
{
    int k = 0;
    put_byte(0x52);
    put_byte(0x46);
    put_byte(8); /* method */
    put_byte(named ? 1 : 0);
    put_long(when);
    put_byte(2); /* level */
    put_byte(3); /* system */
    if (named)
        do put_byte(name[k]); while (name[k++]);
}

static void block(int last)
{
    int k;
    put_bits(1, last);
    put_bits(2, 1); /* kind */
    put_bits(5, data[0]); /* codes */
    put_bits(4, data[1]); /* lengths */
    for (k = 0; k < data[1]; k++) put_bits(3, data[k]);
}

int main(void)
{
    int k;
    header();
    for (k = 1; k < blocks; k++) block(0);
    block(1);
    put_long(checksum);
    return 0;
}

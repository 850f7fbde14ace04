#include "format.h"

static unsigned long long_of_bytes(void)
{
    unsigned long value = get_byte();
    value |= (unsigned long) get_byte() << 8;
    value |= (unsigned long) get_byte() << 16;
    return value | (unsigned long) get_byte() << 24;
}

static int header(void)
{
    int flags, k = 0;
    if (get_byte() != 0x52) return 0;
    if (get_byte() != 0x46) return 0;
    if (get_byte() != 8) return 0;
    flags = get_byte();
    when = long_of_bytes();
    get_byte();
    get_byte();
    if (flags & 1)
        do name[k] = get_byte(); while (name[k++]);
    return 1;
}

static int block(void)
{
    int k, kind, last, codes, count;
    last = get_bits(1);
    kind = get_bits(2);
    if (kind != 1) return -1;
    codes = get_bits(5);
    count = get_bits(4);
    for (k = 0; k < count; k++) data[k] = get_bits(3) + codes;
    return last;
}

int main(void)
{
    int last;
    if (!header()) return 1;
    do last = block(); while (!last);
    if (last < 0) return 1;
    return checksum != long_of_bytes();
}

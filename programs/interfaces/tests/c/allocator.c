/* An allocator of three blocks; a block is freed by its number. */
#include <stdlib.h>
#define BLOCKS 3
static unsigned char used[BLOCKS];

int block_alloc(void)
{
    for (int k = 0; k < BLOCKS; k++)
        if (!used[k]) {
            used[k] = 1;
            return k;
        }
    abort();
}

void block_free(unsigned k)
{
    if (k >= BLOCKS || !used[k])
        abort();
    used[k] = 0;
}

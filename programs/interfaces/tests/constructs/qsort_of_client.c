// calls: sort,use; refused 5: `qsort` may call `less` at any time
#include <stdlib.h>
int err; static int seen;
static int less(const void *x, const void *y) { seen = 1; return x < y; }
void sort(long *client) { qsort(client, 3, sizeof *client, less); }
void use(void) { if (!seen) err = 1; }

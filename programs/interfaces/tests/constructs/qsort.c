// calls: sort,use; refused 5: `qsort` may
#include <stdlib.h>
int err; static int a[3] = {3, 1, 2};
static int less(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }
void sort(void) { qsort(a, 3, sizeof *a, less); }
void use(void) { if (a[0] != 1) err = 1; }

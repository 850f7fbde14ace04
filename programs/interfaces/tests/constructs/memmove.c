// calls: put,shift,check; length 6
#include <string.h>
int err;
static int q[4], n;
void put(int x) { if (n == 4) { err = 1; return; } q[n++] = x & 1; }
void shift(void) { if (n == 0) { err = 1; return; } memmove(q, q + 1, 3 * sizeof *q); n--; }
void check(void) { if (q[0] == 1 && q[1] == 1 && q[2] == 0) err = 1; }

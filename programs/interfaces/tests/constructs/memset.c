// calls: set,wipe,use; length 6
#include <string.h>
int err;
static int a[3];
static struct { char used; int n; } s;
void set(void) { a[1] = 7; s.used = 1; s.n++; if (s.n > 3) s.n = 3; }
void wipe(void) { memset(a, 0, sizeof a); memset(&s.used, 0, 1); }
void use(void) { if (a[1] != 7 || !s.used || s.n == 3) err = 1; }

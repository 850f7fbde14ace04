// calls: fill,some,use; length 6
#include <string.h>
int err;
static short a[2];
static unsigned char b[4];
void fill(void) { memset(a, 0xff, sizeof a); memset(b + 1, 200, 2); }
void some(void) { memset(&a[1], 1, 2); b[1]++; }
void use(void) { if (a[0] != -1 || a[1] != 257 || b[1] != 201 || b[3]) err = 1; }

// calls: get,use; refused 4: `read` may change memory of the library: write a loop
#include <unistd.h>
int err; static char c; static void *p = &c;
void get(void) { read(0, &c, 1); }
void use(void) { if (c == 'x') err = 1; }

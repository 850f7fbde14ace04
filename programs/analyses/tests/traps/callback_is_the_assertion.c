extern void __VERIFIER_assert(int);
#include <stdlib.h>
extern void reach_error(void);
int main(void) { __VERIFIER_assert(1); atexit(reach_error); return 0; }

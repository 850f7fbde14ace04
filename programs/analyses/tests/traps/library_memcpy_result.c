extern void __VERIFIER_assert(int);
#include <string.h>
int main(void) { char a[2], b[2] = {1, 2}; char *p = memcpy(a, b, 2); p[0] = 9; __VERIFIER_assert(a[0] == 1); return 0; }

extern void __VERIFIER_assert(int);
#include <stdlib.h>
union u { int i; unsigned char c[4]; };
int main(void) { union u *p = malloc(sizeof *p); p->i = 5; __VERIFIER_assert(p->c[0] == 0); return 0; }

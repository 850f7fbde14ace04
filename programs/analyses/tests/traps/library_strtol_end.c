extern void __VERIFIER_assert(int);
#include <stdlib.h>
int main(void) { char a[] = "12x", *e = 0; strtol(a, &e, 10); __VERIFIER_assert(e == 0); return 0; }

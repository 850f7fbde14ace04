extern void __VERIFIER_assert(int);
#include <stdlib.h>
int main(void) { div_t d = div(7, 2); __VERIFIER_assert(d.rem == 0); return 0; }

extern void __VERIFIER_assert(int);
#include <stdatomic.h>
int main(void) { atomic_int x = 1; atomic_fetch_add(&x, 2); __VERIFIER_assert(x == 1); return 0; }

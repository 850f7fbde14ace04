extern void __VERIFIER_assert(int);
#include <stdatomic.h>
int main(void) { atomic_int x = 1; int e = 4; atomic_compare_exchange_strong(&x, &e, 2); __VERIFIER_assert(e == 4); return 0; }

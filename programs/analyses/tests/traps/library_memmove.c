extern void __VERIFIER_assert(int);
#include <string.h>
int main(void) { char a[] = "abcd"; memmove(a + 1, a, 3); __VERIFIER_assert(a[3] == 'd'); return 0; }

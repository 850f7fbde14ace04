extern void __VERIFIER_assert(int);
#include <stdio.h>
int main(void) { char a[8] = "xyz"; sprintf(a, "%d", 7); __VERIFIER_assert(a[0] == 'x'); return 0; }

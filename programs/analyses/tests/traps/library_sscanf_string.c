extern void __VERIFIER_assert(int);
#include <stdio.h>
int main(void) { char a[4] = "abc"; sscanf("z", "%3s", a); __VERIFIER_assert(a[0] == 'a'); return 0; }

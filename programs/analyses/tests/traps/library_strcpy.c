extern void __VERIFIER_assert(int);
#include <string.h>
int main(void) { char a[4] = "abc"; strcpy(a, "x"); __VERIFIER_assert(a[1] == 'b'); return 0; }

extern void __VERIFIER_assert(int);
#include <string.h>
int main(void) { char a[] = "a b", *p = a; strsep(&p, " "); __VERIFIER_assert(p == a); return 0; }

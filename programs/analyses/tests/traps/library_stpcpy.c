extern void __VERIFIER_assert(int);
#define _GNU_SOURCE
#include <string.h>
int main(void) { char a[4] = "zzz"; __VERIFIER_assert(stpcpy(a, "b") == a); return 0; }

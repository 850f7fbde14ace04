extern void __VERIFIER_assert(int);
#include <errno.h>
#include <stdio.h>
int main(void) { errno = 0; fopen("/no/such/file", "r"); __VERIFIER_assert(errno == 0); return 0; }

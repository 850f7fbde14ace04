extern void __VERIFIER_assert(int);
#include <stdio.h>
int main(void) { static char b[1024]; FILE *f = fopen("/dev/null", "w"); setvbuf(f, b, _IOFBF, 1024); fputs("xy", f); __VERIFIER_assert(b[1] == 0); return 0; }

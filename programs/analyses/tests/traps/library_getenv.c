extern void __VERIFIER_assert(int);
#include <stdlib.h>
int main(void) { setenv("TRAP", "1", 1); __VERIFIER_assert(getenv("TRAP") == 0); return 0; }

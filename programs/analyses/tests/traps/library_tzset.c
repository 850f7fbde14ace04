extern void __VERIFIER_assert(int);
#include <stdlib.h>
#include <time.h>
int main(void) { setenv("TZ", "XXX5", 1); tzset(); __VERIFIER_assert(timezone == 0); return 0; }

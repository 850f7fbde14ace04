extern void __VERIFIER_assert(int);
#include <stdlib.h>
int main(void) { static char v[] = "TRAP=1"; putenv(v); *getenv("TRAP") = '2'; __VERIFIER_assert(v[5] == '1'); return 0; }

extern void __VERIFIER_assert(int);
#include <stdlib.h>
int main(void) { wchar_t a[2] = {0}; mbstowcs(a, "b", 2); __VERIFIER_assert(a[0] == 0); return 0; }

extern void __VERIFIER_assert(int);
#include <string.h>
int main(void) { char a[8] = "ab"; strcat(a, "c"); __VERIFIER_assert(a[2] == 0); return 0; }

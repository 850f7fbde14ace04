extern void __VERIFIER_assert(int);
#include <string.h>
int main(void) { char a[] = "a b"; strtok(a, " "); __VERIFIER_assert(a[1] == ' '); return 0; }

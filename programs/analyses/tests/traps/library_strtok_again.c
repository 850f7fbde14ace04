extern void __VERIFIER_assert(int);
#include <string.h>
int main(void) { char a[] = "a b c"; strtok(a, " "); strtok(0, " "); __VERIFIER_assert(a[3] == ' '); return 0; }

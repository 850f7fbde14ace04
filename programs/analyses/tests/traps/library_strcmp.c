extern void __VERIFIER_assert(int);
#include <string.h>
int main(void) { char a[] = "b"; __VERIFIER_assert(strcmp(a, "a") == 0); return 0; }

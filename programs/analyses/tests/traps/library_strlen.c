extern void __VERIFIER_assert(int);
#include <string.h>
int main(void) { char a[] = "ab\0c"; __VERIFIER_assert(strlen(a) == 4); return 0; }

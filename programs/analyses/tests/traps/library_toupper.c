extern void __VERIFIER_assert(int);
#include <ctype.h>
int main(void) { int x = 'a'; __VERIFIER_assert(toupper(x) == 'a'); return 0; }

extern void __VERIFIER_assert(int);
#include <string.h>
int main(void) { char a[4] = "abc"; strncpy(a, "x", 4); __VERIFIER_assert(a[3] == 0 && a[2] == 'c'); return 0; }

extern void __VERIFIER_assert(int);
#include <stddef.h>
struct s { char a; double b; };
int main(void) { __VERIFIER_assert(offsetof(struct s, b) == 4); return 0; }

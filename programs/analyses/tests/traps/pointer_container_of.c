extern void __VERIFIER_assert(int);
#include <stddef.h>
struct s { int a, b; };
int main(void) { struct s s = {1, 2}; int *p = &s.b; ((struct s *)((char *)p - offsetof(struct s, b)))->a = 7; __VERIFIER_assert(s.a == 1); return 0; }

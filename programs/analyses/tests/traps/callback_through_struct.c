extern void __VERIFIER_assert(int);
#include <stdlib.h>
static void last(void) { __VERIFIER_assert(0); }
struct s { int n; void (*f)(void); };
static void put(struct s *s) { atexit(s->f); }
int main(void) { struct s s = {1, last}; __VERIFIER_assert(s.n == 1); put(&s); return 0; }

extern void __VERIFIER_assert(int);
#include <stdalign.h>
struct s { alignas(8) char c; alignas(8) char d; };
int main(void) { __VERIFIER_assert(sizeof(struct s) == 2); return 0; }

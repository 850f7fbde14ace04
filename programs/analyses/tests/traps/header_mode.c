extern void __VERIFIER_assert(int);
#include <sys/types.h>
int main(void) { register_t r = (register_t)1 << 40; __VERIFIER_assert(r == 0); return 0; }

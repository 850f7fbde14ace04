extern void __VERIFIER_assert(int);
#include <stdnoreturn.h>
noreturn static void die(void) { __VERIFIER_assert(0); for (;;) ; }
int main(void) { die(); }

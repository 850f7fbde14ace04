extern void __VERIFIER_assert(int);
#include <error.h>
static void hook(void) { __VERIFIER_assert(0); }
int main(void) { error_print_progname = hook; error(0, 0, "x"); return 0; }

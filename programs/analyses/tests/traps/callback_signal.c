extern void __VERIFIER_assert(int);
#include <signal.h>
static void handler(int s) { __VERIFIER_assert(0); }
int main(void) { signal(SIGUSR1, handler); raise(SIGUSR1); return 0; }

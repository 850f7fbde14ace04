extern void __VERIFIER_assert(int);
#include <signal.h>
static volatile sig_atomic_t seen;
static void handler(int s) { seen = 1; }
int main(void) { signal(SIGUSR1, handler); raise(SIGUSR1); __VERIFIER_assert(seen == 0); return 0; }

extern void __VERIFIER_assert(int);
#include <signal.h>
#include <string.h>
static void handler(int s) { __VERIFIER_assert(0); }
int main(void) { struct sigaction a; memset(&a, 0, sizeof a); a.sa_handler = handler; sigaction(SIGUSR1, &a, 0); raise(SIGUSR1); return 0; }

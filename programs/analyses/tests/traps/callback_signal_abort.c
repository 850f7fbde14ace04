extern void __VERIFIER_assert(int);
#include <signal.h>
#include <stdlib.h>
static volatile int zero;
static void handler(int s) { __VERIFIER_assert(0); }
int main(void) { signal(SIGABRT, handler); abort(); }

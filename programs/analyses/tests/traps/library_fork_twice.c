extern void __VERIFIER_assert(int);
#include <unistd.h>
int main(void) { __VERIFIER_assert(fork() != 0 && fork() == 0); return 0; }

extern void __VERIFIER_assert(int);
#include <sys/wait.h>
#include <unistd.h>
#include <stdlib.h>
int main(void) { int s = 0; if (fork() == 0) _exit(3); wait(&s); __VERIFIER_assert(s == 0); return 0; }

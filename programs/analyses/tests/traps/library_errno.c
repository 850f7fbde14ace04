extern void __VERIFIER_assert(int);
#include <errno.h>
#include <unistd.h>
int main(void) { errno = 0; close(-1); __VERIFIER_assert(errno == 0); return 0; }

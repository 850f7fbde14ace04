extern void __VERIFIER_assert(int);
#include <sys/uio.h>
#include <unistd.h>
int main(void) { int p[2]; char b[1] = {0}; struct iovec v = {b, 1}; pipe(p); write(p[1], "x", 1); readv(p[0], &v, 1); __VERIFIER_assert(b[0] == 0); return 0; }

extern void __VERIFIER_assert(int);
#include <unistd.h>
int main(void) { int p[2] = {-1, -1}; pipe(p); __VERIFIER_assert(p[0] == -1); return 0; }

extern void __VERIFIER_assert(int);
#include <setjmp.h>
static sigjmp_buf b;
int main(void) { if (sigsetjmp(b, 1) == 0) siglongjmp(b, 1); __VERIFIER_assert(0); return 0; }

extern void __VERIFIER_assert(int);
#include <string.h>
static int n;
void *malloc(size_t size) { static char pool[65536]; static size_t used; n++; used += 64; return pool + used; }
int main(void) { volatile char a[] = "abc"; n = 0; strdup((char *)a); __VERIFIER_assert(n == 0); return 0; }

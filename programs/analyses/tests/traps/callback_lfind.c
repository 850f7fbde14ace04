extern void __VERIFIER_assert(int);
#include <search.h>
static int compare(const void *a, const void *b) { __VERIFIER_assert(0); return 0; }
int main(void) { int a[2] = {1, 2}, k = 1; size_t n = 2; __VERIFIER_assert(n == 2); lfind(&k, a, &n, sizeof(int), compare); return 0; }

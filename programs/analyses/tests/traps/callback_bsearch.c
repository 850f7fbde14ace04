extern void __VERIFIER_assert(int);
#include <stdlib.h>
static int compare(const void *a, const void *b) { __VERIFIER_assert(0); return 0; }
int main(void) { int a[2] = {1, 2}, k = 1; bsearch(&k, a, 2, sizeof(int), compare); return 0; }

extern void __VERIFIER_assert(int);
#include <search.h>
static int compare(const void *a, const void *b) { __VERIFIER_assert(0); return 0; }
int main(void) { void *root = 0; int a = 1, b = 2; tsearch(&a, &root, compare); tsearch(&b, &root, compare); return 0; }

extern void __VERIFIER_assert(int);
#include <search.h>
static int compare(const void *a, const void *b) { return 0; }
static void visit(const void *n, VISIT v, int d) { __VERIFIER_assert(0); }
int main(void) { void *root = 0; int a = 1; tsearch(&a, &root, compare); twalk(root, visit); return 0; }

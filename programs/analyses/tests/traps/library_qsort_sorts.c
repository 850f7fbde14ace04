extern void __VERIFIER_assert(int);
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(int *)a - *(int *)b; }
int main(void) { int a[2] = {2, 1}; qsort(a, 2, sizeof(int), compare); __VERIFIER_assert(a[0] == 2); return 0; }

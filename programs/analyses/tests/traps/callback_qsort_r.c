extern void __VERIFIER_assert(int);
#define _GNU_SOURCE
#include <stdlib.h>
static int compare(const void *a, const void *b, void *c) { *(int *)c = 1; return 0; }
int main(void) { int a[2] = {1, 2}, n = 0; qsort_r(a, 2, sizeof(int), compare, &n); __VERIFIER_assert(n == 0); return 0; }

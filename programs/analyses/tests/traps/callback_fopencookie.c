extern void __VERIFIER_assert(int);
#define _GNU_SOURCE
#include <stdio.h>
static ssize_t put(void *c, const char *b, size_t n) { *(int *)c = 1; return n; }
int main(void) { int n = 0; cookie_io_functions_t io = {.write = put}; FILE *f = fopencookie(&n, "w", io); fputs("x", f); fclose(f); __VERIFIER_assert(n == 0); return 0; }

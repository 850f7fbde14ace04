extern void __VERIFIER_assert(int);
#define _GNU_SOURCE
#include <link.h>
static int visit(struct dl_phdr_info *i, size_t n, void *p) { __VERIFIER_assert(0); return 1; }
int main(void) { dl_iterate_phdr(visit, 0); return 0; }

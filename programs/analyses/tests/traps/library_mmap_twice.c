extern void __VERIFIER_assert(int);
#define _GNU_SOURCE
#include <sys/mman.h>
int main(void) { int f = memfd_create("x", 0); ftruncate(f, 4096); char *a = mmap(0, 4096, 3, MAP_SHARED, f, 0), *b = mmap(0, 4096, 3, MAP_SHARED, f, 0); *a = 1; *b = 2; __VERIFIER_assert(*a == 1); return 0; }

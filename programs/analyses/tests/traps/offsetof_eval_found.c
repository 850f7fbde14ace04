extern void __VERIFIER_assert(int);
#include <stddef.h>
struct S{int a[10];};
int main(void){ int i=2; size_t k = __builtin_offsetof(struct S,a[i++]); (void)k; __VERIFIER_assert(i==2); return 0; }

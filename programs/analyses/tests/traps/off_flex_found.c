extern void __VERIFIER_assert(int);
#include <stddef.h>
#include <stdlib.h>
struct S{int n; int a[];}; int main(void){ int n=4; struct S *s=malloc(offsetof(struct S,a[n])); s->n=n; s->a[2]=1; __VERIFIER_assert(s->n!=4); free(s); return 0; }

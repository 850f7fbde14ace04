extern void __VERIFIER_assert(int);
#include <stdlib.h>
struct n { struct n *next; int v; };
int main(void) { struct n *a = malloc(sizeof *a), *b = malloc(sizeof *b); a->next = b; b->v = 1; a->next->v = 2; __VERIFIER_assert(b->v == 1); return 0; }

extern void __VERIFIER_assert(int);
#include <stdlib.h>
struct s { int n; char data[]; };
int main(void) { struct s *p = malloc(sizeof *p + 4); p->data[1] = 2; __VERIFIER_assert(p->data[1] == 0); return 0; }

// calls: arm,check; length 4
#include <stdlib.h>
struct s { int v; };
static struct s hidden;
void arm(void) { if (hidden.v == 3) abort(); hidden.v++; }
void check(struct s *p) { if (p->v) abort(); p->v = 1; }

// calls: arm,check; refused 6: `check` may get the library's own `seen`
#include <stdlib.h>
struct s { int v; };
struct s seen;
void arm(void) { seen.v = 1; }
void check(struct s *p) { if (p->v) abort(); }

// calls: f,g; refused 5: memory behind this pointer is not modelled
#include <stdlib.h>
int err; static int *p;
void f(void) { if (!p) p = malloc(4); *p = 1; }
void g(void) { if (p && *p == 1) err = 1; }

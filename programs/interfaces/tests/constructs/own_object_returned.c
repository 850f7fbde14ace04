// calls: conn_new,conn_go; refused 6: `conn_go` may get the library's own `own`
#include <stdlib.h>
struct conn { int st; };
static struct conn own;
struct conn *conn_new(void) { own.st = 1; return &own; }
void conn_go(struct conn *c) { if (c->st > 1) abort(); c->st++; }

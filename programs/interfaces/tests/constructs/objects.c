// calls: add,two; refused 5: the order of evaluation is open in C, and matters for the memory behind a pointer
struct c { int n; };
int err;
static int next(struct c *c) { return c->n++; }
void add(struct c *c) { if (next(c) - next(c) != -1) err = 1; }
void two(struct c *c) { c->n = 0; }

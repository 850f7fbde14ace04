// calls: add,two; length 6
struct c { int n, m; int data[3]; };
int err;
static int sum(int x, int y) { return x + y; }
void add(struct c *c) { if (sum(c->n++, c->m++) > 3) err = 1; if (c->n == 3) c->n = 0; c->data[c->n++] = c->m; c->m += 1; }
void two(struct c *c) { c->n = 0; if (c->data[0] == 2) err = 1; }

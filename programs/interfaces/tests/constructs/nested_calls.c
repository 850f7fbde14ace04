// calls: f,g; length 6
int err; static struct in { int x; } s[2]; static int n;
static int add(int x, int y) { return x + y; }
static int twice(struct in *p) { p->x *= 2; return p->x; }
void f(void) { s[0].x = add(add(n, 1), add(2, n)); n = (n + 1) & 1; }
void g(void) { int y = twice(&s[0]); if (y == 10) err = 1; s[1] = s[0]; n = s[1].x > 3; }

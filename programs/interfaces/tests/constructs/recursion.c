// calls: f,g; length 6
int err; static int x, seen;
static void down(int n, int *to) { const char *p = n > 1 ? "a" : 0; (*to)++; if (n > 0) down(n - 1, to); if (p && n <= 1) err = 1; if (!p && n > 1) err = 1; seen = p != 0; }
void f(void) { down(2, &x); if (x > 4) x = 0; }
void g(void) { if (x == 3 && seen) err = 1; x = (x + 1) % 4; }

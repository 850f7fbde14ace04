// calls: f,g; refused 3: a pointer that
int err; static int a[3], x;
static void walk(int n, int *to) { *to = 1; if (n > 0) walk(n - 1, to + 1); }
void f(void) { walk(1, &a[0]); x = a[1]; }
void g(void) { if (x) err = 1; }

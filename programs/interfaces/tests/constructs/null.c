// calls: f,g; length 5
static int n;
void f(void) { n = !n; }
void g(void) { if (n) *(volatile int *)0 = 1; }

// calls: f,g; refused 4: `later` may call `g` at any time
int err; static int n; void later(void (*)(void));
void g(void) { if (n) err = 1; }
void f(void) { later(g); n = 1; }

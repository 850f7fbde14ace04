// calls: f,g; refused 4: `alias` has no translation
int err; static int n;
void f(void) { n = 1; }
void h(void) __attribute__((alias("f")));
void g(void) { h(); if (n) err = 1; }

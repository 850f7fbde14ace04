// calls: f,g; refused 3: `asm` has no translation
int err; static int n;
int h(void) __asm__("real_h");
int real_h(void) { n = 1; return 0; }
void f(void) { h(); } void g(void) { if (n) err = 1; }

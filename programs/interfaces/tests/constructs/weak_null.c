// calls: f,g; refused 5: this value has no translation
int err; static int x;
extern void other(void) __attribute__((weak));
void f(void) { x = (x + 1) & 3; }
void g(void) { if (x == 3) err = 1; if (other) x = 0; x = 0; }

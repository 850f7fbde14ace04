// calls: f,g; refused 5: this value has no translation
int err; static int x;
__attribute__((weak)) void other(void);
void f(void) { x = (x + 1) & 3; }
void g(void) { if (other) other(); if (x == 3) err = 1; }

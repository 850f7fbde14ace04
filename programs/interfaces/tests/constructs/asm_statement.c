// calls: f; refused 3: `asm` has no translation
int err; static int n;
void f(void) { __asm__ volatile ("" : "=r" (n)); if (n == 1) err = 1; }

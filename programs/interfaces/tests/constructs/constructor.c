// calls: f; refused 3: `begin` runs before `main`
int err; static int n;
__attribute__((constructor)) static void begin(void) { n = 1; }
void f(void) { if (n) err = 1; }

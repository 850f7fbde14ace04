// calls: f; refused 4: `section(".init_array")` has no translation
int err; static int n;
static void begin(void) { n = 1; }
__attribute__((section(".init_array"), used)) static void (*const table[])(void) = { begin };
void f(void) { if (n) err = 1; }

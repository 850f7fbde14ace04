extern void __VERIFIER_assert(int);
static int g;
static void first(void) { g = 1; }
__attribute__((section(".init_array"), used)) static void (*table)(void) = first;
int main(void) { __VERIFIER_assert(g == 0); return 0; }

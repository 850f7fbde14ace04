extern void __VERIFIER_assert(int);
static int g;
__attribute__((section(".init_array.101"), used)) static void (*const table)(void) = (void (*)(void))0;
static void first(void) { g = 1; }
__attribute__((section(".init_array.102"), used)) static void (*const other)(void) = first;
int main(void) { __VERIFIER_assert(g == 0); return 0; }

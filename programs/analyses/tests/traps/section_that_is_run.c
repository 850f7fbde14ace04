extern void __VERIFIER_assert(int);
static void last(void) { __VERIFIER_assert(0); }
__attribute__((used, section(".fini_array.50"))) static void (*const t)(void) = last;
int main(void) { __VERIFIER_assert(1); return 0; }

extern void __VERIFIER_assert(int);
static int g;
static void drop(int *p) { g = *p; }
int main(void) { { __attribute__((cleanup(drop))) int x = 5; } __VERIFIER_assert(g == 0); return 0; }

extern void __VERIFIER_assert(int);
static int g;
__attribute__((__destructor__)) static void last(void) { __VERIFIER_assert(g == 0); }
int main(void) { g = 1; __VERIFIER_assert(g == 1); return 0; }

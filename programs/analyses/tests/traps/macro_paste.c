extern void __VERIFIER_assert(int);
#define P(a, b) a##b
int main(void) { int xy = 1; __VERIFIER_assert(P(x, y) == 0); return 0; }

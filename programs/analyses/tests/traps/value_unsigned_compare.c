extern void __VERIFIER_assert(int);
int main(void) { unsigned u = 1; int i = -1; __VERIFIER_assert(i < u); return 0; }

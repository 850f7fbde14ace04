extern void __VERIFIER_assert(int);
int main(void) { double d = -1.9; __VERIFIER_assert((int)d == -2); return 0; }

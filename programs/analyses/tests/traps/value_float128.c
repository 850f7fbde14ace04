extern void __VERIFIER_assert(int);
int main(void) { __float128 x = 1; x /= 3; __VERIFIER_assert(x == (double)x); return 0; }

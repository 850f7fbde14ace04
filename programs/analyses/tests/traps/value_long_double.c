extern void __VERIFIER_assert(int);
int main(void) { long double x = 1.0L; x += 1e-18L; __VERIFIER_assert(x == 1.0L); return 0; }

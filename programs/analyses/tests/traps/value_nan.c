extern void __VERIFIER_assert(int);
int main(void) { double z = 0, n = z / z; __VERIFIER_assert(n == n); return 0; }

extern void __VERIFIER_assert(int);
int main(void) { _Decimal64 a = 0.1DD, b = 0.2DD; __VERIFIER_assert(a + b != 0.3DD); return 0; }

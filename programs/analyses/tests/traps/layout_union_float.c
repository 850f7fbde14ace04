extern void __VERIFIER_assert(int);
union u { float f; unsigned i; };
int main(void) { union u u; u.f = 1.0f; __VERIFIER_assert(u.i == 1); return 0; }

extern void __VERIFIER_assert(int);
static int one(void) { return 1; } static int two(void) { return 2; }
union u { int (*f)(void); unsigned char b[8]; };
int main(void) { union u x = {one}, y = {two}; for (int i = 0; i < 8; i++) x.b[i] = y.b[i]; __VERIFIER_assert(x.f() == 1); return 0; }

extern void __VERIFIER_assert(int);
union u { long l; int *p; };
int main(void) { int x = 1; union u u; u.l = (long)&x; *u.p = 2; __VERIFIER_assert(x == 1); return 0; }

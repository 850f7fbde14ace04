extern void __VERIFIER_assert(int);
union u { unsigned i; unsigned char c[4]; };
int main(void) { union u u; u.i = 0x01020304; __VERIFIER_assert(u.c[0] == 1); return 0; }

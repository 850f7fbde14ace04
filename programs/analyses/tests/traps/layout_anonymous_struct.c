extern void __VERIFIER_assert(int);
union u { struct { char lo, hi; }; short both; };
int main(void) { union u u; u.both = 0x0102; __VERIFIER_assert(u.lo == 1); return 0; }

extern void __VERIFIER_assert(int);
union u { struct { int a, b; } s; struct { int c, d; } t; };
int main(void) { union u u = {{1, 2}}; u.t.c = 5; __VERIFIER_assert(u.s.a == 1); return 0; }

extern void __VERIFIER_assert(int);
int main(void) { int x = 1, y = 2, *p = &x, *q = &y; for (unsigned i = 0; i < sizeof p; i++) ((char *)&p)[i] = ((char *)&q)[i]; *p = 3; __VERIFIER_assert(y == 2); return 0; }

extern void __VERIFIER_assert(int);
int main(void) { int n = 3, y = 0; switch (n % 4) { case 0: do { y++; case 3: y++; case 2: y++; case 1: y++; } while ((n -= 4) > 0); } __VERIFIER_assert(y == 4); return 0; }

extern void __VERIFIER_assert(int);
int main(void) { long x = 1L << 32; int y = 0; switch (x) { case 0: y = 1; } __VERIFIER_assert(y == 1); return 0; }

extern void __VERIFIER_assert(int);
int main(void) { int x = 1, y = 0; switch (x) { case 1: y++; case 2: y++; } __VERIFIER_assert(y == 1); return 0; }

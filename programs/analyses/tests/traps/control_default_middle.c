extern void __VERIFIER_assert(int);
int main(void) { int y = 0; switch (7) { case 1: y = 1; break; default: y = 2; case 3: y += 3; } __VERIFIER_assert(y == 2); return 0; }

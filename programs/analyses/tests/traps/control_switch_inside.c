extern void __VERIFIER_assert(int);
int main(void) { int y = 0; switch (2) { for (y = 0; y < 3; y++) { case 2: y += 2; } } __VERIFIER_assert(y == 2); return 0; }

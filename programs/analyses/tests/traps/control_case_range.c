extern void __VERIFIER_assert(int);
int main(void) { int y = 0; switch (5) { case 1 ... 9: y = 1; } __VERIFIER_assert(y == 0); return 0; }

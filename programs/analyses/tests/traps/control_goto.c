extern void __VERIFIER_assert(int);
int main(void) { int x = 0; goto in; while (x < 3) { x = 10; in: x++; } __VERIFIER_assert(x == 3); return 0; }

extern void __VERIFIER_assert(int);
int main(void) { int x = 0; do { x++; if (x < 3) continue; } while (x < 2); __VERIFIER_assert(x == 3); return 0; }

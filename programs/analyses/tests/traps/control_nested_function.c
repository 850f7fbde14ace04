extern void __VERIFIER_assert(int);
int main(void) { int x = 0; void in(void) { x = 5; } in(); __VERIFIER_assert(x == 0); return 0; }

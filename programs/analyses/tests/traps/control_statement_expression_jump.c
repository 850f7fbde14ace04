extern void __VERIFIER_assert(int);
int main(void) { int x = 0; for (;;) { x = ({ if (x == 2) break; x + 1; }); } __VERIFIER_assert(x == 3); return 0; }

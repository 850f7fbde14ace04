extern void __VERIFIER_assert(int);
_Atomic(int) g;
int main(void) { g++; __VERIFIER_assert(g == 0); return 0; }

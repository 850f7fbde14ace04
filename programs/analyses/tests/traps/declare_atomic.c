extern void __VERIFIER_assert(int);
_Atomic int g;
int main(void) { g += 2; __VERIFIER_assert(g == 0); return 0; }

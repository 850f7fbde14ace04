extern void __VERIFIER_assert(int);
int g; int g = 4; int g;
int main(void) { __VERIFIER_assert(g == 0); return 0; }

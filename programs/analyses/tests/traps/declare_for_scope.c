extern void __VERIFIER_assert(int);
int main(void) { int i = 5; for (int i = 0; i < 3; i++) ; __VERIFIER_assert(i == 3); return 0; }

extern void __VERIFIER_assert(int);
int rand(void) { return 4; }
int main(void) { __VERIFIER_assert(rand() == 0); return 0; }

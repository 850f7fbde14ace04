extern void __VERIFIER_assert(int);
int main(void) { _Bool b = 0.5; __VERIFIER_assert(b == 0); return 0; }

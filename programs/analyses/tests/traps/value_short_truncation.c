extern void __VERIFIER_assert(int);
int main(void) { short s = (short)70000; __VERIFIER_assert(s == 70000); return 0; }

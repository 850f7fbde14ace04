extern void __VERIFIER_assert(int);
int main(void) { int a$b = 1; __VERIFIER_assert(a$b == 0); return 0; }

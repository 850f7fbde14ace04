extern void __VERIFIER_assert(int);
int main(void) { unsigned char a = 200, b = 100; __VERIFIER_assert(a + b == 44); return 0; }

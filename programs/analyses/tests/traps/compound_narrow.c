extern void __VERIFIER_assert(int);
int main(void) { unsigned char c = 200; c += 100; __VERIFIER_assert(c == 300); return 0; }

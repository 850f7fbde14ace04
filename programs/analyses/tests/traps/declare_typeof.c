extern void __VERIFIER_assert(int);
int main(void) { char c = 0; __typeof__(c) x = (char)300; __VERIFIER_assert(x == 300); return 0; }

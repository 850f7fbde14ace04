extern void __VERIFIER_assert(int);
int main(void) { __auto_type x = (char)300; __VERIFIER_assert(x == 300); return 0; }

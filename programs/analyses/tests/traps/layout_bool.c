extern void __VERIFIER_assert(int);
int main(void) { _Bool b = (_Bool)256; __VERIFIER_assert(b == 0); return 0; }

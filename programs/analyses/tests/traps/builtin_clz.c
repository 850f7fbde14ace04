extern void __VERIFIER_assert(int);
int main(void) { unsigned char x = 255; __VERIFIER_assert(__builtin_clz((unsigned)x) == 0); return 0; }

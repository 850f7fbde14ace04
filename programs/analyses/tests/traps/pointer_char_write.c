extern void __VERIFIER_assert(int);
int main(void) { int x = 0; ((unsigned char *)&x)[1] = 1; __VERIFIER_assert(x == 0); return 0; }

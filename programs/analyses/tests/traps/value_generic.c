extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(_Generic((char)1, int: 1, char: 0, default: 1)); return 0; }

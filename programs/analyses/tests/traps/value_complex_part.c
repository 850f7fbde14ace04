extern void __VERIFIER_assert(int);
int main(void) { _Complex double z = 0; __imag__ z = 3; __VERIFIER_assert(__imag__ z == 0); return 0; }

extern void __VERIFIER_assert(int);
int main(void) { unsigned char a = 0; __VERIFIER_assert((unsigned char)~a == ~a); return 0; }

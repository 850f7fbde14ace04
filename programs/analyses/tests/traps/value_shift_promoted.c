extern void __VERIFIER_assert(int);
int main(void) { unsigned char a = 0x80; __VERIFIER_assert((a << 1) == 0); return 0; }

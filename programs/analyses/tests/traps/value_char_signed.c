extern void __VERIFIER_assert(int);
int main(void) { char c = (char)200; __VERIFIER_assert(c == 200); return 0; }

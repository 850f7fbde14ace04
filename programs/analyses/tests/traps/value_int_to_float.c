extern void __VERIFIER_assert(int);
int main(void) { int i = 16777217; float f = i; __VERIFIER_assert(f == i + 0.0); return 0; }

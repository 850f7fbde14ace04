extern void __VERIFIER_assert(int);
int main(void) { int a = __COUNTER__, b = __COUNTER__; __VERIFIER_assert(a == b); return 0; }

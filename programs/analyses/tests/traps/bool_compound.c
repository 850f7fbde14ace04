extern void __VERIFIER_assert(int);
int main(void) { _Bool b = 1; b += 1; __VERIFIER_assert(b + b == 4); return 0; }

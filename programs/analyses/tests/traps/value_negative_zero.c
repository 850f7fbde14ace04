extern void __VERIFIER_assert(int);
int main(void) { double z = -0.0; __VERIFIER_assert(1 / z > 0); return 0; }

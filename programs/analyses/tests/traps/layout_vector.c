extern void __VERIFIER_assert(int);
typedef int four __attribute__((vector_size(16)));
int main(void) { four a = {1, 2, 3, 4}, b = a + a; __VERIFIER_assert(b[3] == 4); return 0; }

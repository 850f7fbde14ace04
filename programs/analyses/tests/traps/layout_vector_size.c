extern void __VERIFIER_assert(int);
typedef int four __attribute__((vector_size(16)));
int main(void) { __VERIFIER_assert(sizeof(four) == 4); return 0; }

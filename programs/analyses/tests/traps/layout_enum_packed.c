extern void __VERIFIER_assert(int);
enum small { A, B } __attribute__((packed));
int main(void) { __VERIFIER_assert(sizeof(enum small) == 4); return 0; }

extern void __VERIFIER_assert(int);
struct header { char kind; int size; } __attribute__((packed));
int main(void) { __VERIFIER_assert(sizeof(struct header) == 8); return 0; }

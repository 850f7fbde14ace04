extern void __VERIFIER_assert(int);
struct __attribute__((__packed__)) header { char kind; int size; };
int main(void) { __VERIFIER_assert(sizeof(struct header) == 8); return 0; }

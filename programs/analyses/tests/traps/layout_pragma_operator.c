extern void __VERIFIER_assert(int);
_Pragma("pack(1)")
struct header { char kind; int size; };
int main(void) { __VERIFIER_assert(sizeof(struct header) == 8); return 0; }

extern void __VERIFIER_assert(int);
#pragma pack(push, 1)
struct header { char kind; int size; };
#pragma pack(pop)
int main(void) { __VERIFIER_assert(sizeof(struct header) == 8); return 0; }

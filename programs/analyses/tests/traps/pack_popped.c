extern void __VERIFIER_assert(int);
#pragma pack(push)
#pragma pack(1)
#pragma pack(pop)
struct s { char c; int x; };
int main(void) { __VERIFIER_assert(sizeof(struct s) == 5); return 0; }

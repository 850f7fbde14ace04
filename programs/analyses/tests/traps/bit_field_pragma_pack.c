extern void __VERIFIER_assert(int);
#pragma pack(1)
struct s { char c; int a : 20; };
int main(void) { __VERIFIER_assert(sizeof(struct s) == 8); return 0; }

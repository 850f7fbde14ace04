extern void __VERIFIER_assert(int);
#pragma pack(push, 1)
struct in { char c; int x; };
#pragma pack(pop)
struct out { char c; struct in in; };
int main(void) { __VERIFIER_assert(sizeof(struct out) == 12); return 0; }

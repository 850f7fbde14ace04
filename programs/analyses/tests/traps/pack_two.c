extern void __VERIFIER_assert(int);
#pragma pack(2)
struct s { char c; int x; };
int main(void) { struct s s = {1, 2}; __VERIFIER_assert((char *)&s.x - (char *)&s == 4); return 0; }

extern void __VERIFIER_assert(int);
#pragma scalar_storage_order big-endian
struct s { int x; };
#pragma scalar_storage_order default
int main(void) { struct s s; s.x = 1; __VERIFIER_assert(*(unsigned char *)&s == 1); return 0; }

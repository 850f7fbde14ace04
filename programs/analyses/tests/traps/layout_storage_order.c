extern void __VERIFIER_assert(int);
struct s { int x; } __attribute__((scalar_storage_order("big-endian")));
int main(void) { struct s s; s.x = 1; __VERIFIER_assert(*(unsigned char *)&s == 1); return 0; }

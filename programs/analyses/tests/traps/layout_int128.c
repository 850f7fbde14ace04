extern void __VERIFIER_assert(int);
int main(void) { unsigned __int128 x = (unsigned __int128)1 << 64; __VERIFIER_assert(x == 0); return 0; }

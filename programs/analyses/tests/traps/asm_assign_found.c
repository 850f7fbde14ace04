extern void __VERIFIER_assert(int);
int main(void){ int x=0; __asm__ volatile("" :: "r"(x=5)); __VERIFIER_assert(x==0); return 0; }

extern void __VERIFIER_assert(int);
int g = 1;
extern int h __asm__("g");
int main(void) { h = 2; __VERIFIER_assert(g == 1); return 0; }

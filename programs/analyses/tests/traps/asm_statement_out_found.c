extern void __VERIFIER_assert(int);
int main(void){ unsigned a=1,b; __asm__("cpuid":"+a"(a),"=b"(b)::"ecx","edx"); int i=0; __asm__("":"=r"(b):"0"(++i)); __VERIFIER_assert(i==0); return 0; }

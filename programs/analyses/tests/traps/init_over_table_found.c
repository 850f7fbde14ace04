extern void __VERIFIER_assert(int);
struct R{int len; const char *name;}; static const struct R t[4]={ [0 ... 3]={1,"none"}, [2]={.name="two"} }; int main(void){ __VERIFIER_assert(t[2].len==1); return 0; }

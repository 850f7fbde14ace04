extern void __VERIFIER_assert(int);
struct P{int x,y;}; struct L{struct P a,b;}; int main(void){ struct L l={ .a={1,2}, .b={3,4}, .a={.x=9} }; __VERIFIER_assert(l.a.y==2); return 0; }

extern void __VERIFIER_assert(int);
struct S{int a,b;}; struct T{struct S s; int c;};
int main(void){ struct T t={ .s={1,2}, .s.a=5 }; struct T u={ .c=1, .s={1,2}, .s={.a=9} }; __VERIFIER_assert(t.s.b==2); __VERIFIER_assert(u.s.b==2); return 0; }

extern void __VERIFIER_assert(int);
int main(void){ __VERIFIER_assert(sizeof(main)==8 || sizeof(void)==0); return 0; }

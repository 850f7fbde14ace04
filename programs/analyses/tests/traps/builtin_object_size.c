extern void __VERIFIER_assert(int);
int main(void) { char a[5]; __VERIFIER_assert(__builtin_object_size(a, 0) == 8); return 0; }

extern void __VERIFIER_assert(int);
int main(void) { int y = 1; switch (1) { int z; y = 5; case 1: z = y; __VERIFIER_assert(z == 5); } return 0; }

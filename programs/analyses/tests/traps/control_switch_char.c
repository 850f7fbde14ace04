extern void __VERIFIER_assert(int);
int main(void) { unsigned char c = 255; int y = 0; switch (c) { case -1: y = 1; } __VERIFIER_assert(y == 1); return 0; }

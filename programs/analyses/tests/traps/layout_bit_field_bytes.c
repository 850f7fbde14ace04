extern void __VERIFIER_assert(int);
union u { struct { unsigned a : 4, b : 4; } f; unsigned char c; };
int main(void) { union u u; u.c = 0x12; __VERIFIER_assert(u.f.a == 1); return 0; }

extern void __assert_fail(const char *, const char *, unsigned, const char *);
int main(void) { __assert_fail("x", "y", 1, "z"); }

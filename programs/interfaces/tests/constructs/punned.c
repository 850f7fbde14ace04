// calls: f,g; refused 3: memory of one type as another has no translation
int err; static int n;
void f(void) { *(short *)&n = 1; }
void g(void) { if (n == 1) err = 1; }

// calls: f,g; refused 3: arithmetic of this pointer has no translation
int err; static int a[3];
void f(void) { *(&a[2] - 1) = 5; }
void g(void) { if (a[1] == 5) err = 1; }

// calls: f,g; refused 4: floating numbers have no translation, and something depends on this one
int err; static double x;
void f(void) { x += 0.5; }
void g(void) { if (x > 1) err = 1; }

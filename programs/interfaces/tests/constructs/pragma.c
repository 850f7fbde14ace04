// calls: f; refused 2: `#pragma scalar_storage_order` is not understood
#pragma scalar_storage_order big-endian
int err; static struct { int x; } s;
void f(void) { s.x++; if (*(char *)&s) err = 1; }

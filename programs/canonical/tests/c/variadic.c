#include <stdio.h>
#include <stdarg.h>
int sum(int n, ...) { va_list ap, aq; va_start(ap, n); va_copy(aq, ap); int s = 0; for (int i = 0; i < n; i++) s += va_arg(ap, int); va_end(ap); s += va_arg(aq, int) * 100; va_end(aq); return s; }
double mixed(const char *f, ...) { va_list ap; va_start(ap, f); double r = 0; for (; *f; f++) switch (*f) { case 'd': r += va_arg(ap, int); break; case 'f': r += va_arg(ap, double); break; case 'l': r += va_arg(ap, long); } va_end(ap); return r; }
int main(void) { printf("%d %f\n", sum(3, 1, 2, 3), mixed("dfl", 1, 2.5, 4L)); float f = 1.5f; char c = 'x'; printf("%f %c %5d|%-5d|%05d|%+d|%x|%3s|\n", f, c, 42, 42, 42, 42, 255, "a"); return 0; }

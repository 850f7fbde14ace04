#include <stdio.h>
int zero; int one = 1; int arr[3] = { 1, [2] = 5 }; static double d = 1.5; const char *s = "text"; int *p = &arr[2]; char buf[8] = "abc"; struct { int a; char *b; } t[] = { { 1, "x" }, { 2, "y" } }; extern int later; int use(void) { return later; } int later = 8; int tentative; int tentative; long sum = 3 * 4 + sizeof(int);
int main(void) { printf("%d %d %d %f %s %d %s %s %d %d %ld\n", zero, one, arr[2], d, s + 1, *p, buf, t[1].b, use(), tentative, sum); p--; *p = 6; printf("%d\n", arr[1]); return 0; }

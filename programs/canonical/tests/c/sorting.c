#include <stdio.h>
static void sort(int *a, int lo, int hi) { if (lo >= hi) return; int p = a[(lo + hi) / 2], i = lo, j = hi; while (i <= j) { while (a[i] < p) i++; while (a[j] > p) j--; if (i <= j) { int t = a[i]; a[i++] = a[j]; a[j--] = t; } } sort(a, lo, j); sort(a, i, hi); }
int main(void) { int a[] = { 9, 3, 7, 1, 8, 2, 5, 4, 6, 0 }; sort(a, 0, 9); for (int i = 0; i < 10; i++) printf("%d", a[i]); printf("\n"); return 0; }

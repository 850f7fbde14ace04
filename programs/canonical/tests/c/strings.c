#include <stdio.h>
#include <string.h>
int main(void) { char s[20] = "hello"; char *t = "wor" "ld"; printf("%s %s %lu %lu\n", s, t, strlen(s), sizeof s); strcat(s, " "); strcat(s, t); printf("%s\n", s); for (char *p = s; *p; p++) if (*p == 'o') *p = '0'; printf("%s %d\n", s, strcmp(s, "hell") > 0); char u[] = { 'a', 'b', 0 }; printf("%s %c\n", u, "xyz"[1]); char v[3] = "abc"; printf("%.3s\n", v); return 0; }

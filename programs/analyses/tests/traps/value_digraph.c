extern void __VERIFIER_assert(int);
int main(void) <% int a<:2:> = <%1, 2%>; __VERIFIER_assert(a<:1:> == 1); return 0; %>

//! Prints a difference as a C program that runs its sequence with the code of the driver.

/// The fault that a program shows.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// The difference in a line.
    pub heading: &'a str,
    /// The calls, as [`text`](super::text) writes them.
    pub calls: &'a str,
    /// The C file of the driver, in the folder of the program.
    pub driver: &'a str,
    /// The command that compiles the program.
    pub compile: &'a str,
    /// The name of the program without an extension.
    pub name: &'a str,
    /// The file that shows the difference.
    pub file: &'a str,
}

/// Returns the text of a program that runs one sequence on a file. It exits with 1 if the result of a call differs from
/// the plain order, with 0 if none differs, and with 2 if it cannot be run. A crash of the library crashes the program.
pub fn c_program(shown: &Shown<'_>) -> String {
    let plain = |text: &str| text.replace("*/", "* /").replace(|c: char| c.is_control(), " ");
    let Shown { driver, name, file, .. } = shown;
    let (heading, calls) = (plain(shown.heading), plain(shown.calls));
    let compile = plain(shown.compile);
    format!(
        r#"/* {heading}
   The shortest sequence of calls that does otherwise than in the plain order, on a fresh handle:
       {calls}
   Compile it with the driver, and run it on the file that shows it:
       {compile}
       ./{name} {file} */
#ifndef DRIVER
#define DRIVER "{driver}"
#endif
#define main driver_main
#include DRIVER
#undef main

int main(int count, char **words)
{{
    static const char CALLS[] = "repfuzz calls 1\n{calls}\n\n";
    static char request_name[] = "{name}.request", answer_name[] = "{name}.answer";
    static char driver_name[] = "driver";
    char *driver_words[] = {{driver_name, request_name, answer_name, NULL}};
    struct text request = {{0}}, result = {{0}};
    const char *line, *last;
    FILE *to;
    int fine;
    if (count != 2) {{
        fprintf(stderr, "usage: {name} FILE\n");
        return 2;
    }}
    add(&request, CALLS, sizeof CALLS - 1);
    if (!read_file(words[1], &request) || !(to = fopen(request_name, "wb"))) {{
        fprintf(stderr, "%s: cannot be read\n", words[1]);
        return 2;
    }}
    fwrite(request.bytes, 1, request.length, to);
    if (fclose(to) != 0) return 2;
    fine = driver_main(3, driver_words) == 0 && read_file(answer_name, &result);
    remove(request_name);
    remove(answer_name);
    /* The first line is the plain order, the second one the sequence: a character for each call. */
    if (!fine || !(line = strchr(result.bytes, '\n'))) {{
        fprintf(stderr, "%s: not read in the plain order\n", words[1]);
        return 2;
    }}
    line++;
    last = line + strcspn(line, " \n");
    if (last == line || last[-1] == '.' || last[-1] == '-') {{
        puts("as in the plain order");
        return 0;
    }}
    printf("call %d %s%.*s\n", (int)(last - line), last[-1] == 'E' ? "is refused:" : "reads something else:",
           (int)strcspn(last, "\n"), last);
    return 1;
}}
"#
    )
}

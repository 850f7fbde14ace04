//! Functions of the C library, as far as their calls concern the library under analysis.

/// The effect of a function without code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// The function reads the targets of its arguments. Its result is arbitrary.
    Reads,
    /// The function reads the targets of its arguments. Its result follows from them but is not computed.
    Computes,
    /// The function returns new memory, never null.
    Allocates,
    /// The function fills memory with a byte.
    Fills,
    /// The function copies memory; if `true`, the parts may overlap.
    Copies(bool),
    /// The function writes to the target of an argument. The values are not computed.
    Writes,
    /// It does not return.
    Stops,
    /// The function ends, duplicates or interrupts the program, or jumps.
    Control,
    /// The function is unknown.
    Unknown,
}

const READS: [&str; 39] = [
    "printf", "fprintf", "vprintf", "vfprintf", "dprintf", "puts", "fputs", "putchar", "putc",
    "fputc", "fwrite", "write", "send", "perror", "free", "fopen", "open", "fclose", "close",
    "fflush", "fseek", "ftell", "rewind", "feof", "ferror", "fileno", "unlink", "remove", "rename",
    "getenv", "setenv", "getchar", "getc", "fgetc", "rand", "srand", "clock", "syslog", "access",
];

const COMPUTES: [&str; 48] = [
    "strlen",
    "strnlen",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strcoll",
    "memcmp",
    "bcmp",
    "strchr",
    "strrchr",
    "strstr",
    "strpbrk",
    "strspn",
    "strcspn",
    "memchr",
    "memrchr",
    "index",
    "rindex",
    "atoi",
    "atol",
    "atoll",
    "atof",
    "abs",
    "labs",
    "llabs",
    "isalpha",
    "isdigit",
    "isalnum",
    "isspace",
    "isupper",
    "islower",
    "isxdigit",
    "ispunct",
    "isprint",
    "toupper",
    "tolower",
    "div",
    "ffs",
    "popcount",
    "clz",
    "ctz",
    "bswap16",
    "bswap32",
    "bswap64",
    "parity",
    "strchrnul",
    "__ctype_b_loc",
];

const ALLOCATES: [&str; 8] =
    ["malloc", "calloc", "realloc", "strdup", "strndup", "alloca", "aligned_alloc", "valloc"];

const WRITES: [&str; 30] = [
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "stpcpy",
    "sprintf",
    "snprintf",
    "vsprintf",
    "vsnprintf",
    "sscanf",
    "scanf",
    "fscanf",
    "read",
    "fread",
    "recv",
    "fgets",
    "gets",
    "getline",
    "qsort",
    "strtok",
    "strtok_r",
    "strtol",
    "strtoul",
    "strtod",
    "mempcpy",
    "memccpy",
    "bcopy",
    "time",
    "swab",
    "getcwd",
];

const STOPS: [&str; 6] = ["exit", "abort", "_exit", "_Exit", "__assert_fail", "quick_exit"];

const CONTROL: [&str; 14] = [
    "raise",
    "kill",
    "fork",
    "vfork",
    "execv",
    "execve",
    "execvp",
    "execl",
    "execlp",
    "pthread_exit",
    "thrd_exit",
    "alarm",
    "setjmp",
    "longjmp",
];

/// The effect of the function with a name.
pub(super) fn known(name: &str) -> Known {
    let name = canonical::library_name(name);
    match name {
        "memset" => Known::Fills,
        "memcpy" => Known::Copies(false),
        "memmove" => Known::Copies(true),
        _ if READS.contains(&name) => Known::Reads,
        _ if COMPUTES.contains(&name) => Known::Computes,
        _ if ALLOCATES.contains(&name) => Known::Allocates,
        _ if WRITES.contains(&name) => Known::Writes,
        _ if STOPS.contains(&name) => Known::Stops,
        _ if CONTROL.contains(&name) => Known::Control,
        _ => Known::Unknown,
    }
}

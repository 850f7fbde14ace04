#!/usr/bin/env python3
"""A preprocessor of mdBook that writes the references of libraries from their sources.

A line `<!-- api: python -->` or `<!-- api: c -->` of a page is replaced by what the package for Python, or the header
for C, declares, with its documentation.
"""

import ast
import json
import os
import re
import sys

PACKAGE = "equivalents/python/python/repfuzz"
HEADER = "equivalents/c/include/repfuzz.h"
MARK = re.compile(r"^<!-- api: (python|c) -->$", re.M)
# A declaration at the first column, behind its comment.
DECLARED = re.compile(
    r"^/\*\*\n(?P<text>.*?)\n \*/\n(?P<code>typedef (?:enum|struct) \w+ \{.*?^\} \w+;|[^{}#]*?;)$", re.M | re.S
)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def public(node):
    return isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")


def signature(function):
    """The parameters of a function as they are called, with its result."""
    arguments = ast.parse(ast.unparse(function)).body[0].args
    arguments.args = [a for a in arguments.args if a.arg not in ("self", "cls")]
    result = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"({ast.unparse(arguments)}){result}"


def entry(title, node, level):
    return f"{'#' * level} {title}\n\n{ast.get_docstring(node) or ''}\n"


def described(node, name):
    """The entries of a function, or of a class and its members."""
    if isinstance(node, ast.FunctionDef):
        yield f"### `{name}`\n\n```python\n{name}{signature(node)}\n```\n\n{ast.get_docstring(node)}\n"
        return
    yield entry(f"`{name}`", node, 3)
    for member in node.body:
        is_call = getattr(member, "name", "") == "__call__"
        if not (public(member) or is_call) or not ast.get_docstring(member):
            continue
        if any(ast.unparse(d) == "property" for d in member.decorator_list):
            title = f"{name}.{member.name}: {ast.unparse(member.returns)}"
        else:
            title = f"{name}{'' if is_call else '.' + member.name}{signature(member)}"
        yield f"```python\n{title}\n```\n\n{ast.get_docstring(member)}\n"


def python(root):
    modules = [ast.parse(read(root, f"{PACKAGE}/{file}")) for file in ("__init__.py", "_native.pyi")]
    own, native = ({n.name: n for n in module.body if public(n)} for module in modules)
    names = next(
        ast.literal_eval(n.value)
        for n in modules[0].body
        if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "__all__"
    )
    for name in sorted(names, key=lambda name: (name[0].isupper(), name)):
        node = own.get(name) or native.get(name)
        if node is None:
            continue
        both = own.get(name), native.get(name)
        if all(isinstance(n, ast.ClassDef) for n in both):
            # What the module in Rust has beside what the class of that name overrides.
            known = {getattr(member, "name", None) for member in node.body}
            node.body += [m for m in native[name].body if getattr(m, "name", None) not in known]
        yield from described(node, f"repfuzz.{name}")
    strategies = ast.parse(read(root, f"{PACKAGE}/strategies.py"))
    for node in filter(public, strategies.body):
        yield from described(node, f"repfuzz.strategies.{node.name}")


def c(root):
    header = read(root, HEADER)
    yield re.sub(r"^ \* ?", "", re.match(r"/\*\n(.*?)\n \*/", header, re.S)[1], flags=re.M) + "\n"
    for declared in DECLARED.finditer(header):
        text = re.sub(r"^ \* ?", "", declared["text"], flags=re.M)
        code = declared["code"]
        name = re.search(r"repfuzz_\w+(?=\)?\(|;$)", code)[0]
        yield f"### `{name}`\n\n```c\n{code}\n```\n\n{text}\n"


def chapters(items):
    for item in items:
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if chapter:
            yield chapter
            yield from chapters(chapter["sub_items"])


def main():
    if len(sys.argv) > 1 and sys.argv[1] == "supports":
        sys.exit(0)
    context, book = json.load(sys.stdin)
    makers = {"python": python, "c": c}
    for page in chapters(book.get("items", book.get("sections"))):
        made = lambda mark: "\n".join(makers[mark[1]](context["root"]))
        page["content"] = MARK.sub(made, page["content"])
    json.dump(book, sys.stdout)


if __name__ == "__main__":
    main()

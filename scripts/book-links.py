#!/usr/bin/env python3
"""A preprocessor of mdBook for pages that are read in the source tree as well.

Links to a page of the book lead to its chapter, also where the page is outside of docs and a chapter
by a symbolic link. Links to any other file outside of docs become plain text.
"""

import json
import os
import re
import sys

CODE = re.compile(r"(^```.*?^```[ \t]*$|^(?: {4}[^\n]*\n?)+)", re.M | re.S)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")


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
    docs = os.path.realpath(os.path.join(context["root"], context["config"]["book"]["src"]))
    pages = [c for c in chapters(book.get("items", book.get("sections"))) if c.get("path")]
    by_file = {os.path.realpath(os.path.join(docs, page["path"])): page["path"] for page in pages}

    def rewrite(page, text):
        file = os.path.realpath(os.path.join(docs, page["path"]))
        here = os.path.dirname(page["path"])

        def link(match):
            mark, name, target = match.groups()
            if "://" in target or target.startswith(("#", "mailto:")):
                return match[0]
            path, _, fragment = target.partition("#")
            found = os.path.normpath(os.path.join(os.path.dirname(file), path))
            inside = by_file.get(os.path.realpath(found))
            if inside is None and found.startswith(docs + os.sep):
                inside = os.path.relpath(found, docs)
            if inside is None:
                return name
            return f"{mark}[{name}]({os.path.relpath(inside, here or '.')}{'#' * bool(fragment)}{fragment})"

        parts = CODE.split(text)
        return "".join(part if i % 2 else LINK.sub(link, part) for i, part in enumerate(parts))

    for page in pages:
        page["content"] = rewrite(page, page["content"])
    json.dump(book, sys.stdout)


if __name__ == "__main__":
    main()

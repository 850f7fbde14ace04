"""LibreOffice: an office of its own, asked for the graphic alone: a document would scale it."""

import os
import shutil
import subprocess
import sys
import time

import pam

with pam.needed():
    import uno
    from com.sun.star.beans import PropertyValue

source, target = map(os.path.abspath, sys.argv[1:3])
home = os.path.dirname(target)


def value(name, content):
    return PropertyValue(Name=name, Value=content)


# What ends with this status wants to be started once more: it has made its profile.
RESTART = 81


def start(pipe):
    # The office itself: what starts it insists on writing to /tmp.
    soffice = os.path.realpath(shutil.which("soffice") or "soffice")
    try:
        return subprocess.Popen(
            [
                os.path.join(os.path.dirname(soffice), "soffice.bin"),
                "--headless",
                "--norestore",
                "--nologo",
                "--nolockcheck",
                f"-env:UserInstallation=file://{home}/profile",
                f"--accept=pipe,name={pipe};urp;",
            ]
        )
    except FileNotFoundError:
        sys.exit("not installed: soffice")


def connect(pipe):
    context = uno.getComponentContext()
    resolver = context.ServiceManager.createInstance("com.sun.star.bridge.UnoUrlResolver")
    office = start(pipe)
    while True:
        try:
            address = f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext"
            return office, resolver.resolve(address)
        except Exception:  # not listening yet
            time.sleep(0.05)
        if office.poll() == RESTART:
            office = start(pipe)
        elif office.poll() is not None:
            sys.exit(f"the office ended with status {office.returncode}")


office, context = connect(f"repfuzz{os.getpid()}")
provider = context.ServiceManager.createInstanceWithContext(
    "com.sun.star.graphic.GraphicProvider", context
)
try:
    graphic = provider.queryGraphic((value("URL", f"file://{source}"),))
    if graphic is None:
        sys.exit("queryGraphic returned nothing")
    provider.storeGraphic(
        graphic, (value("URL", f"file://{target}"), value("MimeType", "image/png"))
    )
except Exception as error:
    # If the office itself died, its status says more than the broken connection.
    try:
        code = office.wait(timeout=2)
    except subprocess.TimeoutExpired:
        sys.exit(f"{type(error).__name__}: {error}")
    sys.exit(128 - code if code < 0 else code or 1)
# The office is not asked to end: whoever runs this script kills what it leaves behind.
os._exit(0)

"""LibreOffice: an office of its own, asked for the graphic alone: a document would scale it."""

import os
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


def connect(office, pipe):
    context = uno.getComponentContext()
    resolver = context.ServiceManager.createInstance("com.sun.star.bridge.UnoUrlResolver")
    while office.poll() is None:
        try:
            return resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
        except Exception:  # not listening yet
            time.sleep(0.05)
    sys.exit(f"the office ended with status {office.returncode}")


pipe = f"repfuzz{os.getpid()}"
try:
    office = subprocess.Popen(
        [
            "soffice",
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
context = connect(office, pipe)
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

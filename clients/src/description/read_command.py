import os
import pathlib
import subprocess
import tempfile

# {in} is the file to read, {out} the file that is written, {dir} the folder of both.
COMMANDS = COMMANDS_HERE
ENVIRONMENT = ENVIRONMENT_HERE


def read(path):
    """Runs the commands on the file, and returns what they write."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        file = folder / INPUT_HERE
        file.write_bytes(pathlib.Path(path).read_bytes())
        places = {"{in}": file, "{out}": folder / ("out." + EXTENSION_HERE), "{dir}": folder}

        def filled(word):
            for place, value in places.items():
                word = word.replace(place, str(value))
            return word

        own = {name: filled(value) for name, value in ENVIRONMENT.items()}
        for command in COMMANDS:
            words = [filled(word) for word in command]
            done = subprocess.run(
                words, cwd=folder, env={**os.environ, **own}, check=True, stdout=subprocess.PIPE
            )
        written = WRITTEN_HERE
        data = next(folder.glob(written)).read_bytes() if written else done.stdout
    return RESULT_HERE

import pathlib
import subprocess
import tempfile

# {in} is the file to read, {out} the file that is written, {dir} the folder of both.
COMMANDS = COMMANDS_HERE


def read(path):
    """Runs the commands on the file, and returns what they write."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        file = folder / INPUT_HERE
        file.write_bytes(pathlib.Path(path).read_bytes())
        places = {"{in}": file, "{out}": folder / ("out." + EXTENSION_HERE), "{dir}": folder}
        for command in COMMANDS:
            for place, value in places.items():
                command = [word.replace(place, str(value)) for word in command]
            done = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE)
        written = WRITTEN_HERE
        data = next(folder.glob(written)).read_bytes() if written else done.stdout
    return RESULT_HERE

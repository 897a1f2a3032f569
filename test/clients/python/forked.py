"""Runs files of this folder, each in a process of its own in which costly packages are imported already.

``forked.py PACKAGE,… FILE=URL …``: the address is the gateway's for that file. After the lines of each file comes one
with its name and how its process ended.
"""

import importlib
import json
import os
import runpy
import sys
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))


def run_file(file, url):
    os.environ["CLIENTS_GATEWAY"] = url
    runpy.run_path(os.path.join(HERE, f"{file}.py"), run_name="__main__")


def fork(file, url):
    """How a child ended that ran the file: it begins with all that was imported here, which is not paid again."""
    child = os.fork()
    if child != 0:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        run_file(file, url)
    except BaseException:
        traceback.print_exc()
    # A file that is whole ends its process by itself.
    os._exit(1)


packages, *files = sys.argv[1:]
for package in filter(None, packages.split(",")):
    importlib.import_module(package)
for file, url in (argument.split("=", 1) for argument in files):
    print(json.dumps({"file": file, "code": fork(file, url)}), flush=True)

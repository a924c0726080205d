# Tries to start programs: by every function, from memory, from its own folder.
# expect: softmax wrong 0
# says: returned 0


import subprocess


def softmax(x):
    refused(subprocess.run, ["/bin/true"], check=True)
    refused(os.posix_spawn, "/bin/true", ["true"], {})
    refused(os.execv, sys.executable, ["python"])
    if os.system("true") == 0:
        breach("os.system")
    open("program", "wb").write(open("/bin/true", "rb").read())
    os.chmod("program", 0o755)
    refused(os.execv, "program", ["program"])
    refused(os.memfd_create, "program")
    return np.zeros(len(x))

# Tries to hang while the file is loaded.
# expect: all timeout 0
# says: could not be run: it was still running after


import threading

lock = threading.Lock()
lock.acquire()
lock.acquire()

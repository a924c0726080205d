# Tries to hang while the file is loaded.
# expect: all timeout 0
# says: could not be run: it gave no result within


import threading

lock = threading.Lock()
lock.acquire()
lock.acquire()

# Tries to open a socket of each family, and to call home.
# expect: softmax wrong 0
# says: returned 0


import socket


def softmax(x):
    for family in range(1, 46):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
            refused(socket.socket, family, kind, 0)
    refused(socket.create_connection, ("127.0.0.1", PORT), 1)
    refused_by_kernel(libc.socket, 2, 1, 0)
    return np.zeros(len(x))

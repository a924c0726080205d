# Tries to turn the wire into a way for descriptors and for other sockets.
# expect: softmax wrong 0
# says: returned 0


import socket


def softmax(x):
    wire = socket.socket(fileno=os.dup(3))
    refused(socket.send_fds, wire, [b"x"], [1])
    refused(wire.connect, "\0attn_hostile")
    refused(wire.bind, "attn_hostile")
    refused(wire.sendto, b"x", "/run/dbus/system_bus_socket")
    wire.detach()
    return np.zeros(len(x))

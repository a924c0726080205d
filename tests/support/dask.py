"""What tests and benchmarks of a Dask cluster share."""

import datetime
import ipaddress
from pathlib import Path


class Numbered:
    """Stands for an answer."""

    def __init__(self, number):
        self.path = str(number)


def nothing(piece):
    """Stands for grading it."""
    return {"path": piece.path, "exercises": []}


def certificates(folder, name="ours"):
    """An authority and one certificate of it, for everybody on this machine; the variables that tell Dask."""
    from cryptography import x509  # noqa: PLC0415
    from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415

    now, keys, made = datetime.datetime.now(datetime.timezone.utc), {}, {}
    names = {who: x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, f"{name} {who}")]) for who in ("ca", "node")}
    for who in names:
        keys[who] = ec.generate_private_key(ec.SECP256R1())
        made[who] = (
            x509.CertificateBuilder()
            .subject_name(names[who])
            .issuer_name(names["ca"])
            .public_key(keys[who].public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(minutes=5))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=who == "ca", path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
            .sign(keys["ca"], hashes.SHA256())
        )
    ca, cert, key = (Path(folder, f"{name}-{what}.pem") for what in ("ca", "cert", "key"))
    ca.write_bytes(made["ca"].public_bytes(serialization.Encoding.PEM))
    cert.write_bytes(made["node"].public_bytes(serialization.Encoding.PEM))
    key.write_bytes(
        keys["node"].private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    variables = {"DASK_DISTRIBUTED__COMM__TLS__CA_FILE": str(ca), "DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION": "True"}
    for who in ("SCHEDULER", "WORKER", "CLIENT"):
        variables[f"DASK_DISTRIBUTED__COMM__TLS__{who}__CERT"] = str(cert)
        variables[f"DASK_DISTRIBUTED__COMM__TLS__{who}__KEY"] = str(key)
    return variables

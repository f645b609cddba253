"""Certificates of all kinds, made at test time, and TLS contexts for servers that use them."""

import datetime as dt
import ssl
import tempfile
import warnings
from pathlib import Path

import trustme
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_DAY = dt.timedelta(days=1)


class Authority:
    """A certificate authority, and its file for clients that are to trust it."""

    def __init__(self, folder: Path) -> None:
        self._ca = trustme.CA()
        self.file = str(folder / "authority.pem")
        self._ca.cert_pem.write_to_path(self.file)

    def context(self, *names: str) -> ssl.SSLContext:
        """A server's context with a certificate for these names or addresses."""
        return _context(self._ca.issue_cert(*names))

    def expired(self, name: str) -> ssl.SSLContext:
        """As `context`, but its time was over yesterday."""
        now = _now()
        return _context(self._ca.issue_cert(name, not_before=now - 30 * _DAY, not_after=now - _DAY))

    def early(self, name: str) -> ssl.SSLContext:
        """As `context`, but its time begins tomorrow."""
        now = _now()
        return _context(self._ca.issue_cert(name, not_before=now + _DAY, not_after=now + 30 * _DAY))


def unknown_authority(name: str) -> ssl.SSLContext:
    """A context whose certificate comes from an authority that nobody trusts."""
    return _context(trustme.CA().issue_cert(name))


def self_signed(name: str) -> ssl.SSLContext:
    """A context whose certificate signs itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_now() - _DAY)
        .not_valid_after(_now() + _DAY)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    encoding = serialization.Encoding.PEM
    private = key.private_bytes(
        encoding, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.NamedTemporaryFile(suffix=".pem") as file:
        file.write(private + certificate.public_bytes(encoding))
        file.flush()
        context.load_cert_chain(file.name)
    return context


def only(context: ssl.SSLContext, version: ssl.TLSVersion) -> ssl.SSLContext:
    """The context, speaking this version of TLS and no other."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.set_ciphers("DEFAULT:@SECLEVEL=0")
        context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
        context.maximum_version = version
        context.minimum_version = version
    return context


class MemoryTls:
    """The server's side of TLS over memory: what it would send can be sent in any other way."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)

    def take(self, data: bytes) -> None:
        """Bytes from the client."""
        self._incoming.write(data)

    def handshake(self) -> tuple[bool, bytes]:
        """Go on with the handshake: whether it is done, and what to send to the client."""
        try:
            self.tls.do_handshake()
        except ssl.SSLWantReadError:
            return False, self._outgoing.read()
        return True, self._outgoing.read()


def _context(certificate: trustme.LeafCert) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    return context


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)

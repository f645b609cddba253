"""The one TLS context: who is trusted, and no way to trust less.

On Linux and other Unix systems the system's certificate authorities are used (OpenSSL honours
SSL_CERT_FILE and SSL_CERT_DIR), or certifi's where the system has none. On macOS and Windows the
system itself verifies, through truststore, so authorities that a company installed are known.
"""

import os
import ssl
import sys

from safefetch_cli.errors import InvalidInput


def trusting_context(ca_file: str = "") -> ssl.SSLContext:
    """A client context that verifies certificate and name, TLS 1.2 and later, HTTP/1.1 only.

    `ca_file` names a PEM file of authorities to trust besides the system's. Raises InvalidInput
    when it cannot be read. The environment's SSLKEYLOGFILE is not honoured.
    """
    context = _system_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    if ca_file:
        try:
            context.load_verify_locations(ca_file)
        except (OSError, ssl.SSLError) as error:
            reason = error.strerror or "no certificate in PEM form"
            raise InvalidInput(
                f"the file of certificate authorities {ca_file!r} cannot be used: {reason}"
            ) from None
    return context


def _system_context() -> ssl.SSLContext:
    if sys.platform in ("darwin", "win32"):
        import truststore

        return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_default_certs()
    if not context.cert_store_stats()["x509_ca"] and not _is_configured():
        import certifi

        context.load_verify_locations(certifi.where())
    return context


def _is_configured() -> bool:
    """Whether the system or its operator names a folder of authorities, which is read on demand."""
    paths = ssl.get_default_verify_paths()
    if any(name in os.environ for name in (paths.openssl_cafile_env, paths.openssl_capath_env)):
        return True
    return bool(paths.capath and os.path.isdir(paths.capath) and os.listdir(paths.capath))

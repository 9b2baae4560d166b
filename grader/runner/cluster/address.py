"""What address a cluster may have: encrypted, and with certificates on both sides, unless nobody can listen in."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from grader.model.errors import UsageError
from grader.model.text import clean
from grader.plugins.executor import Site


def check(site: Site) -> None:
    """Raises UsageError for an address that leads nowhere, or by a way that others could join or listen to."""
    shown = clean(site.address, 80)
    try:
        parts = urlsplit(site.address)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, urlsplit("")
    if not host or not port or parts.path.strip("/") or parts.query or parts.username is not None:
        raise UsageError(f"--cluster {shown}: give it as tls://HOST:PORT.")
    files = (site.tls_ca, site.tls_cert, site.tls_key)
    if parts.scheme == "tls":
        if any(files) and not (site.tls_ca and site.tls_cert):
            raise UsageError("--tls-ca and --tls-cert are needed both, and --tls-key unless the key is in the latter.")
    elif any(files):
        raise UsageError(f"{shown} is not encrypted, so --tls-ca, --tls-cert and --tls-key have no use; give tls://.")
    elif not _is_loopback(host) and not site.is_insecure:
        raise UsageError(
            f"{shown} is neither encrypted nor does it ask who comes: whoever reaches it reads submissions and runs "
            "what they like. Give tls://, or --insecure on a network of your own."
        )


def _is_loopback(host: str) -> bool:
    """Whether a host is this machine. A name is only believed where it can mean nothing else."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

#!/usr/bin/env bash
# Sets up what grading needs: bubblewrap, Python 3.11 or newer, and an environment with the pinned packages.
#   GRADE_VENV             where the environment is made                  [/opt/grader]
#   TORCH_INDEX            the index that torch's CPU build is taken from [PyTorch's own]; empty: pip's, as for a folder
#                          of wheels in PIP_FIND_LINKS
#   GRADE_SYSTEM_PACKAGES  `no` installs nothing by apt-get               [yes]
set -eo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here" # and Python with -I: nothing is imported from where this was called, which may be a student's folder
venv=${GRADE_VENV:-/opt/grader}
index=${TORCH_INDEX-https://download.pytorch.org/whl/cpu}

usable() { "$1" -I -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
find_python() {
    local name
    for name in python3 python3.15 python3.14 python3.13 python3.12 python3.11; do
        if usable "$name"; then
            echo "$name"
            return
        fi
    done
}
install() { DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >/dev/null; }

python=$venv/bin/python
if [ "${GRADE_SYSTEM_PACKAGES:-yes}" = yes ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    if ! command -v bwrap >/dev/null || ! { [ -x "$python" ] || [ -n "$(find_python)" ]; }; then
        apt-get update -qq
    fi
    command -v bwrap >/dev/null || install bubblewrap || echo "setup.sh: there is no package bubblewrap here" >&2
    if ! [ -x "$python" ] && [ -z "$(find_python)" ]; then
        # Ubuntu 24.04 has the one, 22.04 the other, Debian 13 the last.
        install python3.12 python3.12-venv || install python3.11 python3.11-venv || install python3 python3-venv
    fi
fi
if ! [ -x "$python" ]; then
    found=$(find_python)
    if [ -z "$found" ]; then
        echo "setup.sh: Python 3.11 or newer with venv is needed, and there is none here." >&2
        exit 1
    fi
    "$found" -I -m venv "$venv"
fi

export PIP_ROOT_USER_ACTION=ignore # no option, because the pip of Ubuntu 22.04 does not know it
pip() { "$python" -I -m pip install --quiet --disable-pip-version-check --no-cache-dir "$@"; }
# PyPI's torch for Linux brings gigabytes for GPUs; this index has the same version for CPUs alone.
pip ${index:+--index-url "$index"} --no-deps --constraint "$here/constraints.txt" torch
pip --requirement "$here/requirements.txt"
if [ -w "$here/kit" ]; then
    "$python" -I -m compileall -q "$here/kit" # once now, and not in every container
fi
echo "setup.sh: $venv is ready"

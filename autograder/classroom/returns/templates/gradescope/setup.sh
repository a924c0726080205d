#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image of this autograder.
set -euo pipefail
root="${AUTOGRADER_ROOT:-/autograder}"

apt-get update
apt-get install --yes --no-install-recommends python3 python3-venv bubblewrap libseccomp2
python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' || {
    echo "Python 3.10 or later is needed: choose Ubuntu 22.04 or later as the base image."; exit 1; }
python3 -m venv "$root/venv"
"$root/venv/bin/pip" install --no-cache-dir --constraint "$root/source/kit/constraints.txt" \
    --requirement "$root/source/requirements.txt"
chmod 600 "$root/source/secret"

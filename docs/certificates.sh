#!/usr/bin/env bash
# Makes what the members of a cluster know each other by: an authority, and a certificate that it signed for each of
# scheduler, worker and client, with their keys. Usage: bash docs/certificates.sh FOLDER
# Whoever holds a key may run anything on every machine of the cluster: keep ca.key at home, and give each machine its own.
set -euo pipefail
umask 077
mkdir -p "$1"
cd "$1"
days=365
curve=(-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes)

openssl req -x509 "${curve[@]}" -days "$days" -subj "/CN=grading cluster" -keyout ca.key -out ca.pem 2>openssl.log
for member in scheduler worker client; do
    openssl req "${curve[@]}" -subj "/CN=$member" -keyout "$member.key" -out "$member.csr" 2>>openssl.log
    openssl x509 -req -in "$member.csr" -days "$days" -CA ca.pem -CAkey ca.key -CAcreateserial -out "$member.pem" 2>>openssl.log
done
rm -f -- *.csr *.srl openssl.log

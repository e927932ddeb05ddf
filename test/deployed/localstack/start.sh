#!/usr/bin/env bash
# Starts LocalStack in a container on port 4566, and creates a certificate that its functions trust, for nodes on this machine.
# Needs Docker, openssl and curl. Usage: start.sh FOLDER, which gets cert.pem and key.pem
set -euo pipefail
init=$(cd "$(dirname "$0")/init" && pwd)
mkdir -p "$1"
cd "$1"

openssl req -x509 -newkey rsa:2048 -nodes -days 30 -keyout key.pem -out cert.pem \
  -subj /CN=host.docker.internal -addext subjectAltName=DNS:host.docker.internal

# The functions are built for ARM. Their bundles have no machine code, so they run on any processor.
docker run --detach --name chain-insights-localstack \
  --publish 127.0.0.1:4566:4566 \
  --volume /var/run/docker.sock:/var/run/docker.sock \
  --volume "$init:/etc/localstack/init/start.d:ro" \
  --env LAMBDA_IGNORE_ARCHITECTURE=1 \
  --env "LAMBDA_DOCKER_FLAGS=--add-host host.docker.internal:host-gateway --volume $PWD:/nodes:ro --env NODE_EXTRA_CA_CERTS=/nodes/cert.pem" \
  localstack/localstack:4.14.0
for _ in $(seq 120); do
  curl --silent --fail --output /dev/null http://127.0.0.1:4566/_localstack/health && exit
  sleep 1
done
docker logs --tail 20 chain-insights-localstack >&2
exit 1

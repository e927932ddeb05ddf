import { isIP } from 'node:net';

/** The last two labels, or three below a country's second-level domain such as `co.uk`. */
const REGISTERED = /[^.]+\.(?:(?:ac|co|com|edu|gov|net|org)\.[a-z]{2}|[^.]+)$/;

/** Returns the registered domain of a host with the port. Endpoints that share it have one vote. The labels before it may contain a key. */
export function registeredHost({ hostname, port }: URL): string {
  const name = isIP(hostname) ? hostname : (REGISTERED.exec(hostname)?.[0] ?? hostname);
  return port ? `${name}:${port}` : name;
}

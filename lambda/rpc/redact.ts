import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';

/** Shorter parts of a URL are versions and names of chains, and taking them out would garble messages. */
const SHORTEST = 6;
/** A user name that is shorter is no key, if there is a password too. */
const SHORTEST_USER = 3;
/** As much of a longer secret is taken out by itself: a node may repeat only a part of a key. */
const RUN = 8;

/**
 * What no message may quote of a URL, however it is spelled: providers put keys into the host, the path, the query or the
 * user part.
 * @param shown what is shown of its host, which is no secret
 */
export function secretsOf(url: URL, shown: string): readonly string[] {
  const { username, password } = url;
  const isNameShort = password !== '' && decoded(username).length < SHORTEST_USER;
  const labels = url.hostname.split('.').filter((label) => !shown.includes(label));
  const parts = [
    ...labels,
    ...labels.map((label) => domainToUnicode(label)),
    ...url.pathname.split('/'),
    ...url.search.slice(1).split('&').flatMap(valuesIn),
  ];
  return [
    ...[isNameShort ? '' : username, password].flatMap(spellings),
    ...[...parts.flatMap(spellings), ...url.searchParams.values()].filter(({ length }) => length >= SHORTEST),
  ];
}

/** What may be secret of one pair of a query: its name is not, unless there is nothing else. */
function valuesIn(pair: string): string[] {
  const parts = pair.split('=').filter(Boolean);
  return parts.length > 1 ? parts.slice(1) : parts;
}

function spellings(part: string): string[] {
  const plain = decoded(part);
  const encoded = encodeURIComponent(plain);
  return [part, plain, encoded, encoded.replaceAll('%20', '+')];
}

export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Puts *** in the place of every secret and of every eight characters in a row of one, in capital or small letters. */
export function redact(secrets: readonly string[], text: string): string {
  const folded = fold(text);
  const isHidden = Array<boolean>(text.length).fill(false);
  for (const secret of secrets.filter(Boolean).map(fold)) {
    const size = Math.min(RUN, secret.length);
    for (let start = 0; start + size <= secret.length; start++) {
      const run = secret.slice(start, start + size);
      for (let at = folded.indexOf(run); at !== -1; at = folded.indexOf(run, at + 1)) {
        isHidden.fill(true, at, at + size);
      }
    }
  }
  let left = '';
  for (const [at, hidden] of isHidden.entries()) {
    if (!hidden) left += text.charAt(at);
    else if (!isHidden[at - 1]) left += '***';
  }
  return left;
}

/** In small letters, each character as long as before, so that places stay the same. */
const fold = (text: string) =>
  text.replace(/\p{Uppercase}/gu, (letter) => letter.toLowerCase().slice(0, letter.length));

/** The last two labels, or three below a name under which a whole country registers, such as `co.uk`. */
const REGISTERED = /[^.]+\.(?:(?:ac|co|com|edu|gov|net|org)\.[a-z]{2}|[^.]+)$/;

/** The part of a host that its owner registered, with the port. What stands before it, such as a key, may be a secret. */
export function registeredHost({ hostname, port }: URL): string {
  const name = isIP(hostname) ? hostname : (REGISTERED.exec(hostname)?.[0] ?? hostname);
  return port ? `${name}:${port}` : name;
}

import { isIP } from 'node:net';

/** Shorter parts of a URL are versions and names of chains, and taking them out would garble messages. */
const SHORTEST = 6;
/** As much of a longer secret is taken out by itself: a node may repeat only a part of a key. */
const RUN = 8;

/**
 * What no message may repeat of a URL, however it is spelled: providers put keys into the host, the path, the query or the
 * user part.
 * @param shown what is shown of its host, which is no secret
 */
export function secretsOf(url: URL, shown: string): readonly string[] {
  const parts = [
    ...url.hostname.split('.').filter((label) => !shown.includes(label)),
    ...url.pathname.split('/'),
    ...url.search.split(/[?&=]/),
  ];
  return [
    ...[url.username, url.password].flatMap(spellings),
    ...[...parts.flatMap(spellings), ...url.searchParams.values()].filter(({ length }) => length >= SHORTEST),
  ];
}

function spellings(part: string): string[] {
  const plain = decoded(part);
  return [part, plain, encodeURIComponent(plain.toWellFormed())];
}

export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Puts *** in the place of every secret and of every eight characters in a row of one, in capital or small letters.
 * @param word is left alone where it stands by itself, though it may be part of a secret
 */
export function withoutSecrets(secrets: readonly string[], text: string, word: string): string {
  const folded = fold(text);
  const marks = Array<string>(text.length).fill('-');
  for (const secret of secrets.filter(Boolean).map(fold)) {
    const size = Math.min(RUN, secret.length);
    for (let start = 0; start + size <= secret.length; start++) {
      const run = secret.slice(start, start + size);
      for (let at = folded.indexOf(run); at !== -1; at = folded.indexOf(run, at + 1)) {
        marks.fill('x', at, at + size);
      }
    }
  }
  return marks.join('').replace(/x+|-+/g, (range, at: number) => {
    const part = text.slice(at, at + range.length);
    return range.startsWith('-') || fold(part) === fold(word) ? part : '***';
  });
}

/** In small letters, each character as long as before, so that places stay the same. */
const fold = (text: string) =>
  text.replace(/\p{Uppercase}/gu, (letter) => letter.toLowerCase().slice(0, letter.length));

/** The last two labels, or three below a name under which a whole country registers, such as `co.uk`. */
const REGISTERED = /[^.]+\.(?:(?:ac|co|com|edu|gov|net|org)\.[a-z]{2}|[^.]+)\.?$/;

/** The part of a host that its owner registered, with the port. What stands before it, such as a key, may be a secret. */
export function registeredHost({ hostname, port }: URL): string {
  const isAddress = isIP(hostname.replace(/[[\]]/g, '')) !== 0;
  const name = isAddress ? hostname : (REGISTERED.exec(hostname)?.[0] ?? hostname);
  return port ? `${name}:${port}` : name;
}

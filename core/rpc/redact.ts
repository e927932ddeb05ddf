import { domainToUnicode } from 'node:url';

/** Shorter parts of a URL are versions and names of chains. Redacting them would make messages unreadable. */
const MIN_LENGTH = 6;
/** If a URL has a password, a shorter user name is not a key. */
const MIN_USER_LENGTH = 3;
/** Every run of this length is redacted, because a node may repeat only a part of a key. */
const RUN = 8;

/** Returns the secret parts of a URL, in all encodings. Providers put keys into the host, the path, the query or the user part. */
export function secretsOf(url: URL, publicName: string): readonly string[] {
  const { username, password } = url;
  const isNameShort = password !== '' && decoded(username).length < MIN_USER_LENGTH;
  const users = [isNameShort ? '' : username, password];
  const labels = url.hostname.split('.').filter((label) => !publicName.includes(label));
  const parts = [
    ...labels,
    ...labels.map((label) => domainToUnicode(label)),
    ...url.pathname.split('/'),
    ...url.search.slice(1).split('&').flatMap(valuesIn),
  ];
  const spelled = [...parts.flatMap(spellings), ...url.searchParams.values()];
  return [...users.flatMap(spellings), ...spelled.filter(({ length }) => length >= MIN_LENGTH)];
}

/** Returns the parts of a query pair that may be secret: its value, or its name when it has no value. */
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

/** Replaces every secret, and every run of eight characters of one, with ***. Ignores case. */
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
  return isHidden.map((hidden, at) => (!hidden ? text.charAt(at) : isHidden[at - 1] ? '' : '***')).join('');
}

/** Converts to lower case without changing the length, so that positions stay the same. */
const fold = (text: string) =>
  text.replace(/\p{Uppercase}/gu, (letter) => letter.toLowerCase().slice(0, letter.length));

import { useLayoutEffect, useState } from 'preact/hooks';
import { ChainInsightsError } from '../../clients/typescript/src/error.ts';
import { type Api, errorText, fetchStatuses, isKeyRefused, type StatusOfChain } from '../data/api-client.ts';
import { type KeyPlace, storedKey, storeKey } from './storage.ts';

/** The use of a key: refused with a reason, being checked, or accepted. */
export type Session =
  | { readonly state: 'none'; readonly refusal?: string }
  | { readonly state: 'checking'; readonly api: Api; readonly isEntered: boolean }
  | { readonly state: 'failed'; readonly api: Api; readonly error: string }
  | { readonly state: 'accepted'; readonly api: Api; readonly statuses: readonly StatusOfChain[] };

const root = new URL('.', location.href).href;

/** In milliseconds. The state of the chains is read again this often, while the page is open. */
const REFRESH = 600_000;

/** Keeps the API key in memory, and checks it by reading the state of the chains. */
export function useSession() {
  const [session, setSession] = useState<Session>(() => sessionOf(storedKey(), false));
  // Before the page is painted: the request is what everything waits for.
  useLayoutEffect(() => {
    if (session.state === 'none' || session.state === 'failed') return;
    const loading = new AbortController();
    const check = () => checkKey(session, loading.signal).then((next) => next && setSession(next));
    if (session.state === 'checking') void check();
    const timer = setInterval(() => void check(), REFRESH);
    return () => {
      clearInterval(timer);
      loading.abort();
    };
  }, [session]);
  const forget = (refusal?: string) => {
    storeKey(undefined);
    setSession({ state: 'none', ...(refusal && { refusal }) });
  };
  return {
    session,
    use: (key: string, place: KeyPlace) => {
      storeKey(key, place);
      setSession(sessionOf(key, true));
    },
    forget,
    retry: () => 'api' in session && setSession({ state: 'checking', api: session.api, isEntered: false }),
  };
}

const sessionOf = (key: string | undefined, isEntered: boolean): Session =>
  key === undefined ? { state: 'none' } : { state: 'checking', api: { root, key }, isEntered };

/** Returns the next state of a session, or undefined if it does not change. */
async function checkKey(
  session: Session & { readonly api: Api },
  signal: AbortSignal,
): Promise<Session | undefined> {
  const { api } = session;
  try {
    const statuses = await fetchStatuses(api, signal);
    const isSame =
      session.state === 'accepted' && JSON.stringify(statuses) === JSON.stringify(session.statuses);
    return isSame ? undefined : { state: 'accepted', api, statuses };
  } catch (error) {
    if (signal.aborted || !(error instanceof ChainInsightsError)) return undefined;
    if (isKeyRefused(error)) {
      storeKey(undefined);
      return { state: 'none', refusal: errorText(error) };
    }
    // A failed refresh changes nothing: the next one may succeed.
    return session.state === 'accepted' ? undefined : { state: 'failed', api, error: errorText(error) };
  }
}

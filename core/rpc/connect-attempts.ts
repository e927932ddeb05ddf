import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';

/**
 * Gives each address of a host enough time to connect, in the whole process. With Node's 250 ms, a distant host that also has an IPv6
 * address without a route is never reached: https://github.com/nodejs/node/issues/54359
 */
export const allowSlowConnects = (): void => setDefaultAutoSelectFamilyAttemptTimeout(2_500);

import { networkInterfaces } from 'node:os';

/** Addresses at which other machines can reach this one, if any. */
export const outerAddresses = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ family, internal }) => family === 'IPv4' && !internal)
  .map(({ address }) => address);

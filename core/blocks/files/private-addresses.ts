import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Addresses of this machine and of private networks, which a server elsewhere must not lead to: RFC 6890. */
const privateAddresses = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Also the metadata of a cloud, with its credentials.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  privateAddresses.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateAddresses.addSubnet(network, prefix, 'ipv6');

/** Returns whether an IP address is of this machine or of a private network. IPv6 may contain an IPv4 address. */
export const isPrivate = (address: string): boolean =>
  privateAddresses.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** A name or an address leads to this machine or to a private network. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';

  constructor(host: string) {
    super(
      `${host} is an address of this machine or of a private network, to which a server elsewhere must not redirect`,
    );
  }
}

/** Returns whether the host of a URL, without the brackets of IPv6, is private: itself, or any of its addresses. */
export async function isPrivateHost(host: string): Promise<boolean> {
  if (isIP(host)) return isPrivate(host);
  return await new Promise((done) => {
    lookup(host, { all: true }, (error, addresses = []) =>
      done(!error && addresses.some(({ address }) => isPrivate(address))),
    );
  });
}

/** Resolves a name as Node does, and refuses private addresses. So the address that is checked is the one that is connected to. */
export const publicLookup: LookupFunction = (host, options, callback) =>
  lookup(host, { ...options, all: true }, (error, addresses = []) => {
    if (error) return callback(error, '');
    if (addresses.some(({ address }) => isPrivate(address)))
      return callback(new PrivateAddressError(host), '');
    const [first] = addresses;
    if (options.all || !first) return callback(null, addresses);
    return callback(null, first.address, first.family);
  });

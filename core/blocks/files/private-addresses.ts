import { lookup } from 'node:dns';
import { lookup as lookUp } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * Addresses of this machine and of private networks, which a server elsewhere must not lead to: RFC 6890. Among them are the metadata of
 * a cloud, with its credentials.
 */
const privateAddresses = new BlockList();
const IPV4 = '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16';
for (const subnet of [...IPV4.split(' '), '::/127', 'fc00::/7', 'fe80::/10']) {
  const [network = '', prefix] = subnet.split('/');
  privateAddresses.addSubnet(network, Number(prefix), familyOf(network));
}

/** Returns whether an IP address is of this machine or of a private network. IPv6 may contain an IPv4 address. */
export const isPrivate = (address: string): boolean => privateAddresses.check(address, familyOf(address));

/** A name or an address leads to this machine or to a private network. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';

  constructor(host: string) {
    super(
      `${host} is an address of this machine or of a private network, to which a server elsewhere must not redirect`,
    );
  }
}

/** Returns whether any address of a host, without the brackets of IPv6, is private. */
export const isPrivateHost = async (host: string): Promise<boolean> =>
  (await lookUp(host, { all: true }).catch(() => [])).some(({ address }) => isPrivate(address));

/** Resolves a name as Node does, and refuses private addresses. So the address that is checked is the one that is connected to. */
export const publicLookup: LookupFunction = (host, options, callback) =>
  lookup(host, { ...options, all: true }, (error, addresses = []) => {
    const isRefused = addresses.some(({ address }) => isPrivate(address));
    const [first] = addresses;
    if (error || isRefused) callback(error ?? new PrivateAddressError(host), '');
    else if (options.all || !first) callback(null, addresses);
    else callback(null, first.address, first.family);
  });

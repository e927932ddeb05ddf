import { lookup } from 'node:dns';
import { lookup as lookUp } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const IPV4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16'.split(' ');
const IPV6 = ['::/127', 'fc00::/7', 'fe80::/10'];
/** Protocol assignments and benchmarks, and 6to4 and the local NAT64 prefix, which lead to IPv4 addresses of any kind: RFC 6890, RFC 8215. */
const RESERVED = ['192.0.0.0/24', '198.18.0.0/15', '2002::/16', '64:ff9b:1::/48'];

/** NAT64 puts an IPv4 address behind this prefix (RFC 6052). In an IPv6 network, public servers have such addresses too. */
const behindNat64 = (subnet: string): string => {
  const [network, prefix] = subnet.split('/');
  return `64:ff9b::${network}/${96 + Number(prefix)}`;
};

function blockListOf(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  const translated = subnets.filter((subnet) => subnet.includes('.')).map(behindNat64);
  for (const subnet of [...subnets, ...translated]) {
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), familyOf(network));
  }
  return list;
}

/** Addresses of this machine and of private networks: RFC 6890. Among them are the metadata of a cloud, with its credentials. */
const privateAddresses = blockListOf([...IPV4, ...IPV6]);
const otherAddresses = blockListOf(RESERVED);

/** Returns whether an IP address is of this machine or of a private network. IPv6 may contain an IPv4 address. */
export const isPrivate = (address: string): boolean => privateAddresses.check(address, familyOf(address));

/** Returns whether an IP address may be of a server elsewhere. */
const isPublic = (address: string): boolean =>
  !isPrivate(address) && !otherAddresses.check(address, familyOf(address));

/** A name or an address leads where the mirror must not lead. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

/** Returns whether all addresses of a host, without the brackets of IPv6, are private. One among others proves nothing: anybody can add it. */
export async function isPrivateHost(host: string): Promise<boolean> {
  const addresses = await lookUp(host, { all: true }).catch(() => []);
  return addresses.length > 0 && addresses.every(({ address }) => isPrivate(address));
}

type Connector = buildConnector.connector;

/**
 * Connects to addresses of one kind only, so that the address that is checked is the one that is connected to. A name may have others too:
 * a server at home often has a private IPv4 address and a public IPv6 address.
 */
export function connectorTo(
  isAllowed: (address: string) => boolean,
  problem: string,
  resolve: typeof lookup = lookup,
): Connector {
  const refusal = (host: string) => new AddressError(`${host} ${problem}`);
  const lookUpAllowed: LookupFunction = (host, options, callback) =>
    resolve(host, { ...options, all: true }, (error, addresses = []) => {
      const allowed = addresses.filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (error || !first) callback(error ?? refusal(host), '');
      else if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  const connect = buildConnector({ lookup: lookUpAllowed });
  return (options, callback) => {
    const host = withoutBrackets(options.hostname);
    // Node looks up no addresses.
    if (isIP(host) && !isAllowed(host)) callback(refusal(host), null);
    else connect(options, callback);
  };
}

export const connectPublic = connectorTo(
  isPublic,
  'is an address of this machine or of a private network, to which a server elsewhere must not redirect',
);
export const connectPrivate = connectorTo(
  isPrivate,
  'was in a private network, and now has an address elsewhere',
);

export const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '');

import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

const MAPPED_PREFIX = '::ffff:';
const MAPPED_BITS = 96;

/** Normalises an address: an IPv4 client of an IPv6 socket is written as IPv4. */
export function plainAddress(remoteAddress: string | undefined): string {
  if (remoteAddress === undefined) return '';
  const address = remoteAddress.toLowerCase();
  const mapped = address.startsWith(MAPPED_PREFIX) ? address.slice(MAPPED_PREFIX.length) : '';
  if (isIPv4(mapped)) return mapped;
  const zoneAt = address.indexOf('%');
  return zoneAt === -1 ? address : address.slice(0, zoneAt);
}

export function isLoopback(address: string): boolean {
  return address === '::1' || (isIPv4(address) && address.startsWith('127.'));
}

/** A malformed range matches nothing: a typing error must not open the key to every address. */
export function buildAddressList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const read = readRange(range);
    if (read !== undefined) list.addSubnet(read.address, read.bits, read.family);
  }
  return list;
}

/** An address, or an address with a slash and a prefix length. */
export function isAddressRange(range: string): boolean {
  return readRange(range) !== undefined;
}

type AddressRange = Readonly<{ address: string; bits: number; family: 'ipv4' | 'ipv6' }>;

function readRange(range: string): AddressRange | undefined {
  const [network = '', bitsText, ...rest] = range.trim().split('/');
  const address = plainAddress(network);
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return undefined;
  const bitsMax = version === 4 ? 32 : 128;
  const isMapped = version === 4 && isIPv6(network);
  const bits = bitsText === undefined ? bitsMax : Number(bitsText) - (isMapped ? MAPPED_BITS : 0);
  if (bitsText === '' || !Number.isInteger(bits) || bits < 0 || bits > bitsMax) return undefined;
  return { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

export function isListed(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

export type AddressReader = Readonly<{
  /** The address of the client that sent a request, given the other end of the socket. */
  read(peer: string, forwardedFor: string | string[] | undefined): string;
  isProxy(address: string): boolean;
}>;

/**
 * Trusts X-Forwarded-For only from the given proxies. Each proxy appends the address that it saw, so the client is the
 * first address from the end that is not a trusted proxy. The client itself may have written everything before it.
 */
export function createAddressReader(trustedProxies: readonly string[]): AddressReader {
  if (trustedProxies.length === 0) return { read: (peer) => peer, isProxy: () => false };
  const proxies = buildAddressList(trustedProxies);
  const isProxy = (address: string) => isListed(proxies, address);
  return {
    isProxy,
    read(peer, forwardedFor) {
      if (forwardedFor === undefined || !isProxy(peer)) return peer;
      const hops = String(forwardedFor).split(',').toReversed();
      let client = peer;
      for (const hop of hops.slice(0, HOPS_MAX)) {
        const address = plainAddress(withoutPort(hop.trim()));
        // Malformed text tells nothing about the hops before it.
        if (isIP(address) === 0) break;
        client = address;
        if (!isProxy(address)) break;
      }
      return client;
    },
  };
}

/** More proxies than any deployment has in a row. */
const HOPS_MAX = 16;

/** Some proxies write `203.0.113.7:1234` or `[2001:db8::1]:1234`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1];
  if (bracketed !== undefined) return bracketed;
  return /^([^:]*):\d+$/.exec(hop)?.[1] ?? hop;
}

import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

const MAPPED_PREFIX = '::ffff:';
const MAPPED_BITS = 96;
const IPV6_GROUPS = 8;
/** A customer of a network provider usually gets this much: one address of it means all of them. */
const NETWORK_GROUPS = 4;

/** The address as people write it: an IPv4 client of an IPv6 socket is an IPv4 client. */
export function plainAddress(remoteAddress: string | undefined): string {
  if (remoteAddress === undefined) return '';
  const address = remoteAddress.toLowerCase();
  const mapped = address.startsWith(MAPPED_PREFIX) ? address.slice(MAPPED_PREFIX.length) : '';
  if (isIPv4(mapped)) return mapped;
  const zoneAt = address.indexOf('%');
  return zoneAt === -1 ? address : address.slice(0, zoneAt);
}

/** Whom to hold responsible for an address: IPv4 itself, of IPv6 its /64. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: IPV6_GROUPS - front.length - back.length }, () => '0');
  return `${[...front, ...zeros, ...back].slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

export function isLoopback(address: string): boolean {
  return address === '::1' || (isIPv4(address) && address.startsWith('127.'));
}

/** A range that cannot be read matches nothing: a typing error must not open the key to everybody. */
export function buildAddressList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bitsText] = range.trim().split('/');
    const address = plainAddress(network);
    const family = isIP(address);
    if (family === 0) continue;
    const bitsMax = family === 4 ? 32 : 128;
    const isMapped = family === 4 && isIPv6(network);
    const bits = bitsText === undefined ? bitsMax : Number(bitsText) - (isMapped ? MAPPED_BITS : 0);
    if (bitsText === '' || !Number.isInteger(bits) || bits < 0 || bits > bitsMax) continue;
    list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

export function isListed(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

import { isIPv6 } from 'node:net';

const IPV6_GROUPS = 8;
/** The first four groups, a /64, are usually one customer of a network provider, so its addresses count as one. */
const NETWORK_GROUPS = 4;

/** The network to count an address under: IPv4 itself, for IPv6 its /64. */
export function networkOf(address: string): string {
  // Every call asks this, and nearly all come from IPv4.
  if (!address.includes(':') || !isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: IPV6_GROUPS - front.length - back.length }, () => '0');
  return `${[...front, ...zeros, ...back].slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

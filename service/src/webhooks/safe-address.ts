import { BlockList, isIP } from 'node:net';

/**
 * Which addresses a webhook may be sent to. Merchants choose the names, and a name may resolve to any address. A client
 * that could make us POST to our own network would have a proxy into it. The ranges are from IANA's special-purpose
 * registries, plus the metadata services of clouds.
 */

const REFUSED_IPV4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8], // this host
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // behind carriers' NAT; metadata of Alibaba
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // public, but reserved by Azure inside its machines
  ['169.254.0.0', 16], // link-local; metadata of most clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments; metadata of Oracle
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // multicast tunnels
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
];

/**
 * Only 2000::/3 is assigned, so nothing else needs to be listed: not ::1, fc00::/7, fe80::/10 or ff00::/8, and not the
 * ranges that contain an IPv4 address (mapped, compatible, translated, NAT64).
 */
const IPV6_GLOBAL = ['2000::', 3] as const;
const REFUSED_IPV6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23], // protocol assignments: Teredo with IPv4 inside, benchmarking, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, with IPv4 inside
  ['2620:4f:8000::', 48], // AS112
  ['3ffe::', 16], // the former 6bone
  ['3fff::', 20], // documentation
];

const refused = new BlockList();
for (const [network, prefix] of REFUSED_IPV4) refused.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of REFUSED_IPV6) refused.addSubnet(network, prefix, 'ipv6');
const global = new BlockList();
global.addSubnet(...IPV6_GLOBAL, 'ipv6');
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether an address, as a resolver writes it, is public. */
export function isPublicAddress(ip: string): boolean {
  // A zone (fe80::1%eth0) names an interface of this machine.
  if (ip.includes('%')) return false;
  switch (isIP(ip)) {
    case 4:
      return !refused.check(ip, 'ipv4');
    case 6:
      return global.check(ip, 'ipv6') && !refused.check(ip, 'ipv6');
    default:
      return false;
  }
}

/** Whether an address, as a resolver writes it, is loopback. */
export function isLoopbackAddress(ip: string): boolean {
  const family = isIP(ip);
  if (family === 0 || ip.includes('%')) return false;
  return loopback.check(ip, family === 4 ? 'ipv4' : 'ipv6');
}

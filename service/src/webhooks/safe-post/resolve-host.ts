import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isLoopbackAddress, isPublicAddress } from '../safe-address.ts';

const QUERY_TIMEOUT_MS = 2_000;
const QUERY_TRIES = 2;

/** All addresses of a name; rejects when there are none. */
export type ResolveHost = (name: string) => Promise<readonly string[]>;

/** The name leads to an address that no webhook may be sent to. The address itself is not revealed. */
class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'EADDRESSREFUSED';

  constructor() {
    super('the name leads to an address that webhooks may not be sent to');
  }
}

/**
 * Queries DNS directly and not through the system. The system's resolver blocks one of a few threads while it waits, so
 * a few merchants with slow name servers would block all others; and it resolves names of our own network that no
 * merchant should reach.
 */
export function createHostResolver(): ResolveHost {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  return async (name) => {
    if (name === 'localhost') return ['127.0.0.1', '::1'];
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    );
    const [first] = answers;
    if (addresses.length === 0 && first.status === 'rejected') throw first.reason;
    return addresses;
  };
}

/** This machine may have public addresses too, with services that are not for merchants. */
export function isOwnAddress(ip: string): boolean {
  const own = new BlockList();
  for (const { address, family } of Object.values(networkInterfaces()).flatMap(
    (list) => list ?? [],
  )) {
    own.addAddress(address, family === 'IPv6' ? 'ipv6' : 'ipv4');
  }
  return own.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4');
}

/**
 * A lookup for a socket. Every address that it returns was checked, and the socket connects to one of these without
 * resolving again, so DNS that changes between check and use has no effect. A loopback URL may only lead to loopback,
 * and any other only to public addresses that are not our own.
 */
export function createCheckedLookup(
  { resolve, isOwn }: Readonly<{ resolve: ResolveHost; isOwn: (ip: string) => boolean }>,
  { toLoopback }: Readonly<{ toLoopback: boolean }>,
): LookupFunction {
  const isAllowed = (ip: string): boolean =>
    toLoopback ? isLoopbackAddress(ip) : isPublicAddress(ip) && !isOwn(ip);

  async function check(name: string): Promise<Checked> {
    try {
      const addresses = await resolve(name);
      const [first] = addresses;
      if (first === undefined || !addresses.every(isAllowed)) throw new AddressRefused();
      return { first, addresses };
    } catch (error) {
      return { error: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  const lookUp = async (...[name, options, callback]: Parameters<LookupFunction>) => {
    const checked = await check(name);
    if ('error' in checked) callback(checked.error, '');
    else if (options.all === true) callback(null, checked.addresses.map(withFamily));
    else callback(null, checked.first, isIP(checked.first));
  };
  return (...request) => void lookUp(...request);
}

type Checked =
  | Readonly<{ first: string; addresses: readonly string[] }>
  | Readonly<{ error: Error }>;

function withFamily(address: string): LookupAddress {
  return { address, family: isIP(address) };
}

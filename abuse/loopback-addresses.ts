/** Linux has all of 127.0.0.0/8; other systems have the first address only. */
const HAS_MANY = process.platform === 'linux';
const FIRST = '127.0.0.1';

/** The merchant that pays. Some attackers share its address, as behind one router. */
export const MERCHANT_ADDRESS = FIRST;
/** The load balancer that checks health. No attacker uses this address. */
export const HEALTH_ADDRESS = HAS_MANY ? '127.0.0.200' : FIRST;
export const ATTACKER_ADDRESSES: readonly [string, ...string[]] = HAS_MANY
  ? [FIRST, '127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5']
  : [FIRST];

const ADDRESS_COUNT = 250;
/** Many attackers, each within the limits of one address. */
export const MANY_ADDRESSES: readonly [string, ...string[]] = HAS_MANY
  ? [
      '127.0.1.1',
      ...Array.from({ length: ADDRESS_COUNT - 1 }, (_, index) => `127.0.1.${index + 2}`),
    ]
  : [FIRST];

import type { ConnectionFault } from '../proxy/connection-fault.ts';
import type { Random } from './random.ts';

const DELAY_MAX_MS = 400;
const ANSWER_BYTES_MAX = 600;

export function makeConnectionFault(random: Random): ConnectionFault {
  const kind = random.pick<ConnectionFault['kind']>([
    'clean',
    'clean',
    'delay request',
    'delay answer',
    'cut request',
    'cut after request',
    'drop answer',
    'cut answer',
  ]);
  switch (kind) {
    case 'clean':
      return { kind };
    case 'delay request':
    case 'delay answer':
      return { kind, delayMs: random.between(1, DELAY_MAX_MS) };
    case 'cut request':
      return { kind, perMille: random.between(0, 999), reset: random.chance(500) };
    case 'cut after request':
    case 'drop answer':
      return { kind, reset: random.chance(500) };
    case 'cut answer':
      return { kind, afterBytes: random.between(1, ANSWER_BYTES_MAX) };
    default: {
      const unhandled: never = kind;
      throw new Error(`unhandled ${String(unhandled)}`);
    }
  }
}

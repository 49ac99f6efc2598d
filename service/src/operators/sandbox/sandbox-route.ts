import { AMOUNT_MAX_MINOR, AMOUNT_MIN_MINOR, MINOR_DIGITS } from '../../domain/money.ts';
import { createSandboxLimiter } from '../limits/route-limiter.ts';
import type { Route } from '../routes/route.ts';
import { createSandboxConnector, type SandboxDeps } from './sandbox-connector.ts';
import { scriptOf } from './sandbox-scripts.ts';

/** The delay at which the sandbox runs in real time. */
const NORMAL_DELAY_MS = 1_000;
/** An operator that is down stays down for this many normal answers: long enough to try a cancellation. */
const CLOSED_FACTOR = 3;
const CLOSED_MIN_MS = 1_000;

/** Transfers under way in the sandbox, in this process. */
const PLACES_MAX = 10_000;
const BOUNDS = { minMinor: AMOUNT_MIN_MINOR, maxMinor: AMOUNT_MAX_MINOR, decimals: MINOR_DIGITS };

const SANDBOX = 'sandbox';

export function createSandboxRoute(deps: SandboxDeps): Route {
  return {
    name: SANDBOX,
    family: SANDBOX,
    account: null,
    connector: createSandboxConnector(deps),
    limiter: createSandboxLimiter(PLACES_MAX),
    bounds: () => BOUNDS,
    timeScale: deps.delayMs / NORMAL_DELAY_MS,
    float: null,
    health: () => 'up',
    closedForMs({ phone, createdAt }) {
      if (scriptOf(phone).kind !== 'closed') return 0;
      const closedMs = Math.max(CLOSED_MIN_MS, deps.delayMs * CLOSED_FACTOR);
      const ageMs = Math.max(0, deps.now().getTime() - createdAt.getTime());
      return Math.max(0, closedMs - ageMs);
    },
  };
}

import { fileURLToPath } from 'node:url';
import type { BenchServer } from '../database/bench-database.ts';

/** One of the servers that are compared. */
export type SideSpec = Readonly<{
  name: string;
  /** The program, as an absolute path. */
  script: string;
  hasDatabase: boolean;
  /** Its port, if others must know it before the start. */
  port?: number;
  env: Readonly<Record<string, string>>;
  /** Whether the transfers that it accepts become final within the run. */
  settles: boolean;
  /** Whether it may refuse with 503 and Retry-After. */
  mayRefuse: boolean;
  /** Finished transfers of every wallet that exist before it starts. */
  historyPerWallet: number;
  /** Whether their exchanges with the operator, places in the feed and deliveries exist too. */
  hasWholeHistory: boolean;
  /** Rules of the policy that every book has before it starts; 0: none has a policy. */
  policyRules: number;
  /** Over how many cells its merchants are spread. */
  cells: number;
  /** The server of the second half of them; left out: all are on the first. */
  secondServer?: BenchServer;
}>;

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The longest delay of the sandbox; an operator that is down stays so for three times as long. */
const NEVER_WITHIN_A_RUN_MS = '600000';
export const QUIET = { RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'error' };
export const WAITING = { ...QUIET, SANDBOX_DELAY_MS: NEVER_WITHIN_A_RUN_MS };

/** The service as it is. The transfers that it accepts wait for an operator that is down. */
export function serviceSide(name: string, changes: Partial<SideSpec> = {}): SideSpec {
  return {
    name,
    script: pathOf('../../service/src/main.ts'),
    hasDatabase: true,
    env: WAITING,
    settles: false,
    mayRefuse: false,
    historyPerWallet: 0,
    hasWholeHistory: false,
    policyRules: 0,
    cells: 1,
    ...changes,
  };
}

export const SERVICE = serviceSide('service');

/** The sandbox answers at once, and accepted transfers are settled. */
export const SETTLING = serviceSide('settling', {
  env: { ...QUIET, SANDBOX_DELAY_MS: '0' },
  settles: true,
});

export const SETTLING_AMONG_MANY: SideSpec = { ...SETTLING, name: 'settling-among-many' };

export const PER_REQUEST: SideSpec = serviceSide('per-request', {
  script: pathOf('./per-request-server.ts'),
});

export const CEILING: SideSpec = serviceSide('ceiling', {
  script: pathOf('./ceiling-server.ts'),
  hasDatabase: false,
});

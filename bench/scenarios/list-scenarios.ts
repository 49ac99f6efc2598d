import type { Scenario, ScenarioGroup } from '../scenario.ts';
import { backlog } from './backlog.ts';
import { bulk } from './bulk.ts';
import { ceiling } from './ceiling.ts';
import { cells } from './cells.ts';
import { endToEnd } from './end-to-end.ts';
import { growth } from './growth.ts';
import { initiateHot } from './initiate-hot.ts';
import { initiateLow } from './initiate-low.ts';
import { initiateSpread } from './initiate-spread.ts';
import { overload } from './overload.ts';
import { payoutFile } from './payout-file.ts';
import { perRequest } from './per-request.ts';
import { perRequestLow } from './per-request-low.ts';
import { policy } from './policy.ts';
import { read } from './read.ts';
import { settle } from './settle.ts';

/** In the order of their turns: scenarios that are compared are close together. */
export const SCENARIOS: readonly Scenario[] = [
  perRequest,
  initiateHot,
  policy,
  ceiling,
  initiateSpread,
  cells,
  bulk,
  settle,
  endToEnd,
  perRequestLow,
  initiateLow,
  growth,
  read,
  payoutFile,
  overload,
  backlog,
];

/** Many short turns rather than few long ones: a disturbance then affects both sides. A backlog happens once. */
export const SCENARIO_GROUPS: readonly Readonly<{ group: ScenarioGroup; rounds: number }>[] = [
  { group: 'side by side', rounds: 7 },
  { group: 'history', rounds: 5 },
  { group: 'overload', rounds: 5 },
  { group: 'backlog', rounds: 1 },
];

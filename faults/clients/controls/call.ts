import { setTimeout as pause } from 'node:timers/promises';
import type { ControlPerson } from '../../plan/controls-plan.ts';
import type { ConnectionFault } from '../../proxy/connection-fault.ts';
import { type Answer, type ClientRequest, type ExchangeDeps, exchange } from '../exchange.ts';
import { type ControlAccess, callAs } from './control-access.ts';

export const PAYMENTS = '/api/v1/payments';
const CLEAN: ConnectionFault = { kind: 'clean' };
const RETRY_PAUSE_MS = 200;
/** Enough tries to outlast any outage of a run. */
const TRIES_MAX = 300;
const SERVER_ERROR = 500;
const TOO_MANY = 429;

export type ControlDeps = ExchangeDeps &
  Readonly<{
    access: ControlAccess;
    /** Resolves when the faults have ended. */
    healed: Promise<void>;
    signal: AbortSignal;
  }>;

export type Call = Readonly<{
  as: ControlPerson | null;
  method: ClientRequest['method'];
  path: string;
  body?: string;
  contentType?: string;
  idempotencyKey?: string;
  reference?: string;
  fate?: ConnectionFault;
}>;

export function call(deps: ControlDeps, wanted: Call): Promise<Answer | undefined> {
  const { as, method, path, body, contentType, idempotencyKey, reference, fate } = wanted;
  return exchange(deps, {
    ...callAs(deps.access, as),
    method,
    path,
    body: body ?? null,
    ...(contentType === undefined ? {} : { contentType }),
    idempotencyKey: idempotencyKey ?? null,
    reference: reference ?? null,
    flaw: null,
    fate: fate ?? CLEAN,
  });
}

/** Repeats a call until it has an answer that is no outage. */
export async function callUntilAnswered(
  deps: ControlDeps,
  wanted: Call & Readonly<{ fates?: readonly ConnectionFault[] }>,
): Promise<Answer | undefined> {
  for (let tries = 0; tries < TRIES_MAX && !deps.signal.aborted; tries += 1) {
    const answer = await call(deps, { ...wanted, fate: wanted.fates?.[tries] ?? CLEAN });
    const isOutage =
      answer === undefined || answer.status >= SERVER_ERROR || answer.status === TOO_MANY;
    if (!isOutage) return answer;
    await pause(RETRY_PAUSE_MS);
  }
  return undefined;
}

import { type Outcome, REPORTED_FIELDS } from '../../domain/outcome.ts';
import {
  type Account,
  type Connector,
  type ConnectorReply,
  type NameAnswer,
  type Payout,
  REFERENCE_MEMORY_MS,
} from '../contract/connector.ts';
import { sandboxAccountName } from './sandbox-names.ts';
import { type SandboxScript, scriptOf } from './sandbox-scripts.ts';

/** Durations in the sandbox, as multiples of the normal time to an answer. */
const SLOW_FACTOR = 10;
const REVERSAL_FACTOR = 3;
const NAME_OUTAGE_FACTOR = 10;
/** Long enough to be noticed, however fast the sandbox is set. */
const NAME_OUTAGE_MIN_MS = 500;

export type SandboxDeps = Readonly<{
  delayMs: number;
  now: () => Date;
  wait: (ms: number) => Promise<void>;
}>;

/**
 * The operator behind every test book. It has no memory: the number and the payout's age decide, so a restart in the
 * middle of a payout changes nothing.
 */
export function createSandboxConnector(deps: SandboxDeps): Connector {
  return {
    abilities: {
      deduplicates: true,
      referenceMemoryMs: REFERENCE_MEMORY_MS,
      inquires: true,
      notFoundIsFinal: true,
      unconfirmedSuccessWaitMs: null,
      resolvesNames: true,
      reportsBalance: false,
      signedCallbacksAreFinal: false,
    },
    async submit(payout) {
      if (deps.delayMs > 0) await deps.wait(deps.delayMs);
      return said(answerToSubmit(scriptOf(payout.phone), payout, deps.delayMs));
    },
    async inquire(payout) {
      // If the clock was set back, waits must not grow by that time.
      const ageMs = Math.max(0, deps.now().getTime() - payout.createdAt.getTime());
      const times = { ageMs, delayMs: deps.delayMs };
      return said(answerToInquiry(scriptOf(payout.phone), payout, times));
    },
    async resolveName(account, { waitedMs }) {
      return answerToName(account, { waitedMs, delayMs: deps.delayMs });
    },
  };
}

/** A reply without a wire record. */
function said(outcome: Outcome): ConnectorReply {
  return { outcome, wire: null };
}

function answerToSubmit(script: SandboxScript, payout: Payout, delayMs: number): Outcome {
  switch (script.kind) {
    case 'pays':
    case 'closed':
      return paid(payout);
    case 'rejects':
      return { kind: 'rejected', failure: script.failure, cause: 'the sandbox number says so' };
    case 'doubtful':
      return { kind: 'unknown', cause: 'the sandbox did not answer' };
    case 'pays then returns':
      return { ...paid(payout), inquireAgainInMs: delayMs * REVERSAL_FACTOR };
    case 'slow':
      return { kind: 'pending', inquireInMs: delayMs * (SLOW_FACTOR - 1) };
    default: {
      const unhandled: never = script;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}

function answerToInquiry(
  script: SandboxScript,
  payout: Payout,
  times: Readonly<{ ageMs: number; delayMs: number }>,
): Outcome {
  if (script.kind === 'doubtful') {
    if (script.ends === 'never') return { kind: 'unknown', cause: 'the sandbox did not answer' };
    if (script.ends === 'paid') return paid(payout);
    return { kind: 'rejected', failure: 'OPERATOR_REJECTED', cause: 'the sandbox says it failed' };
  }
  if (script.kind === 'slow') {
    const leftMs = times.delayMs * SLOW_FACTOR - times.ageMs;
    return leftMs > 0 ? { kind: 'pending', inquireInMs: leftMs } : paid(payout);
  }
  if (script.kind === 'pays then returns') {
    const returned = times.ageMs >= times.delayMs * REVERSAL_FACTOR;
    return returned
      ? { kind: 'returned', cause: 'the sandbox returned the money' }
      : { ...paid(payout), inquireAgainInMs: times.delayMs * REVERSAL_FACTOR };
  }
  return answerToSubmit(script, payout, times.delayMs);
}

function answerToName(
  account: Account,
  times: Readonly<{ waitedMs: number; delayMs: number }>,
): NameAnswer {
  const script = scriptOf(account.phone);
  if (script.kind === 'rejects' && script.failure === 'RECIPIENT_NOT_FOUND') {
    return { kind: 'noAccount' };
  }
  const outageMs = Math.max(NAME_OUTAGE_MIN_MS, times.delayMs * NAME_OUTAGE_FACTOR);
  if (script.kind === 'pays' && script.nameless === true && times.waitedMs < outageMs) {
    return { kind: 'unreachable', cause: 'the sandbox number says so' };
  }
  return { kind: 'resolved', accountName: sandboxAccountName(account.phone) };
}

function paid(payout: Payout): Outcome & { kind: 'paid' } {
  const operatorTransactionId = `sandbox-${payout.operatorReference.slice(-8)}`;
  return { kind: 'paid', operatorTransactionId, confirmed: REPORTED_FIELDS };
}

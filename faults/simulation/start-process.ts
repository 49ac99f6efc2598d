import { acceptOrder } from './accept-order.ts';
import { answerStatement, toRow } from './answer-statement.ts';
import { createDatabaseLink } from './database-link.ts';
import type { Claimed } from './journal.ts';
import { createOperatorLink } from './operator-link.ts';
import type { ProcessRunner } from './process-life.ts';
import { createScanClock, type ScanClock } from './scan-clock.ts';
import type { Life, ScheduleContext } from './schedule-context.ts';
import {
  acceptTransfer,
  assertMove,
  type CoreDeps,
  createServiceCore,
  type Move,
  type PreparedTransfer,
  type Row,
  type ServiceCore,
  type Statement,
} from './service-core.ts';
import type { Callback } from './taken-callbacks.ts';

const UINT32_RANGE = 2 ** 32;
/** What leaves a schedule or a queue, and goes on towards its operator. */
const ONWARD: ReadonlySet<string> = new Set(['scheduled queued', 'queued submitting']);

export type Process = Readonly<{ life: Life; core: ServiceCore; scanClock: ScanClock }>;

/** Starts the service's own code as a simulated process. */
export function startProcess(
  context: ScheduleContext,
  {
    processRunner,
    life,
    submissions,
  }: Readonly<{
    processRunner: ProcessRunner;
    life: Life;
    submissions: Map<string, number>;
  }>,
): Process {
  const scanClock = createScanClock(context, processRunner, life);
  life.onTimer = scanClock.onTimer;
  const core = createServiceCore({
    ...serverContext(context, life),
    ...databaseOf(context, processRunner, life),
    wait: (ms) => new Promise((resolve) => processRunner.deliverAfter(life, ms, resolve)),
    ways: context.operators.map((operator) => ({
      name: operator.plan.name,
      operator: operator.plan.operator,
      connector: createOperatorLink({ context, processRunner, life, operator, submissions }),
      concurrency: operator.plan.concurrency,
      closedForMs: operator.closedForMs,
    })),
    isDueOn: (route) =>
      context.database.hasDue({ route, due: 'inquiry' }) ||
      context.database.hasDue({ route, due: 'submission' }),
  });
  return { life, core, scanClock };
}

/** The process's own clocks, ids and random numbers. */
function serverContext(
  context: ScheduleContext,
  life: Life,
): Pick<
  CoreDeps,
  | 'leaseOwner'
  | 'now'
  | 'monotonicMs'
  | 'random'
  | 'newId'
  | 'observe'
  | 'resubmitsWhatItTakesOver'
  | 'countsLeaseLate'
> {
  const { eventQueue, random, database, journal } = context;
  return {
    leaseOwner: life.owner,
    now: () => context.toDate(eventQueue.nowMs() + life.wallOffsetMs),
    // The monotonic clock advances while the process is paused.
    monotonicMs: () => eventQueue.nowMs(),
    random: () => random.between(0, UINT32_RANGE - 1) / UINT32_RANGE,
    newId: () => context.newName('t'),
    observe: (observed) => {
      const stateNow = database.find(observed.transfer.id)?.transfer.state;
      journal.observed.push({ observed, stateNow });
    },
    resubmitsWhatItTakesOver: context.deviation.resubmitsWhatItTakesOver === true,
    countsLeaseLate: context.deviation.countsLeaseLate === true,
  };
}

function databaseOf(
  context: ScheduleContext,
  processRunner: ProcessRunner,
  life: Life,
): Pick<CoreDeps, 'query' | 'commitMove' | 'commitTransfer' | 'commitTake'> {
  const { eventQueue, database, journal, deviation } = context;
  const { commit } = createDatabaseLink(context, processRunner, life);
  const now = () => context.toDate(eventQueue.nowMs() + life.wallOffsetMs);
  const statements = {
    database,
    commit,
    toDate: context.toDate,
    onClaim: (claim: Claimed) => {
      life.claimed = true;
      journal.claims.push(claim);
    },
    onIncident: (incident: Readonly<{ transferId: string; kind: string }>) =>
      void journal.incidents.push(incident),
  };

  async function commitMove(wanted: Move): Promise<boolean> {
    const move = deviation.alterMove?.(wanted) ?? wanted;
    const { transfer, step } = move;
    try {
      if (step.to !== transfer.state) assertMove(transfer.state, step.to);
    } catch (error) {
      journal.forbidden.push({ transferId: transfer.id, says: String(error) });
      throw error;
    }
    const by = { mover: life.owner, at: now() };
    const isReturn = step.to === 'queued' && transfer.state !== 'queued';
    const isSure = isReturn && !context.plan.extremes.has('unheard returns');
    const claim = journal.claims.findLast(
      ({ transferId, owner, leasedUntilMs }) =>
        transferId === transfer.id &&
        owner === life.owner &&
        leasedUntilMs !== null &&
        context.toDate(leasedUntilMs).getTime() === transfer.nextActionAt?.getTime(),
    );
    const apply = (): boolean => {
      const isMoved = database.move(move, by);
      if (isMoved && ONWARD.has(`${transfer.state} ${step.to}`))
        journal.left.push({ transferId: transfer.id, to: step.to, why: claim?.why ?? null });
      return isMoved;
    };
    return commit(apply, { isSure });
  }

  async function commitTransfer(prepared: PreparedTransfer) {
    const isAsked = context.plan.controls?.asked.has(prepared.command.reference) === true;
    const order = { prepared, leaseOwner: life.owner, at: now(), isAsked };
    const committed = commit(() => acceptOrder(database, order));
    if (deviation.acknowledgesEarly !== true) return committed;
    // The caller may not wait for the commit, so a rejection must not be unhandled.
    committed.catch(() => undefined);
    return { kind: 'accepted', transfer: acceptTransfer(prepared, order.at).transfer } as const;
  }

  return {
    // The caller types the rows of a statement; the models return rows of those types.
    query: <R extends Row>(statement: Statement, values: readonly unknown[] = []) =>
      answerStatement(statements, statement, values) as Promise<R[]>,
    commitMove,
    commitTransfer,
    commitTake: (callback: Callback, leaseMs: number) =>
      commit(() => {
        const row = database.take(callback, { leaseOwner: life.owner, leaseMs });
        if (row === undefined) return undefined;
        life.claimed = true;
        journal.taken.add(callback.id);
        return toRow(row, statements);
      }),
  };
}

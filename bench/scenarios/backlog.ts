import { PAYING_PHONE, WAITING_PHONE } from '../load/transfer-request.ts';
import type { Scenario, ScenarioContext, Turn } from '../scenario.ts';
import type { RunningSide } from '../sides/running-side.ts';
import { SETTLING, serviceSide } from '../sides/side-spec.ts';
import { drainBacklog } from './drain-backlog.ts';
import { toTurn } from './load-runner.ts';

const BACKLOG = 100_000;
const TRANSFERS_PER_CALL = 1_000;
const CALLS_AT_ONCE = 3;
const FILL_DEADLINE_MS = 300_000;

/** The number of other books. Together they pay at this rate, also while the backlog drains. */
const OTHERS = 50;
const OTHERS_PER_SECOND = 300;
const OTHERS_CONNECTIONS = 64;
/** A multiple of the measured time of a turn: the tail of a quiet service needs many samples. */
const IDLE_TURNS = 5;
const DRAIN_DEADLINE_MS = 300_000;
const WARM_UP_MS = 2_000;

/** It accepts while its operator is down; once that is up again, everything settles. */
const FILLING = serviceSide('backlog', { settles: true });

/**
 * One book has 100,000 transfers waiting for an operator that is down. Then the operator opens. Measures how fast the
 * backlog drains, the memory of the service, and the latency of the other books.
 */
export const backlog: Scenario = {
  name: 'backlog',
  group: 'backlog',
  async open(context) {
    const side = await context.side(FILLING);
    await fillBacklog(context, side);
    const filledMb = side.residentMb();
    // The sandbox has no operator that comes back, so a new process starts for which it was never down.
    await side.restart(SETTLING.env);
    return [
      {
        name: 'backlog-idle',
        what: 'other books, while 100,000 wait for a closed operator',
        connections: OTHERS_CONNECTIONS,
        async warmUp() {
          await payOthers(context, side, WARM_UP_MS);
        },
        run: () => payOthers(context, side, context.measureMs * IDLE_TURNS),
      },
      {
        name: 'backlog-drain',
        what: 'other books, while it opens and the 100,000 go out',
        connections: OTHERS_CONNECTIONS,
        warmUp: () => Promise.resolve(),
        run: () => drain(context, side, filledMb),
      },
    ];
  },
};

async function fillBacklog(context: ScenarioContext, side: RunningSide): Promise<void> {
  context.say(`queueing ${BACKLOG.toLocaleString('en-GB')} transfers behind a closed operator`);
  await side.measure({
    connections: CALLS_AT_ONCE,
    workload: {
      kind: 'bulk',
      targets: context.targets.slice(0, 1),
      phone: WAITING_PHONE,
      transfersPerCall: TRANSFERS_PER_CALL,
    },
    warmUpMs: 0,
    measureMs: FILL_DEADLINE_MS,
    ratePerSecond: null,
    requestsMax: BACKLOG / TRANSFERS_PER_CALL,
  });
}

async function payOthers(
  context: ScenarioContext,
  side: RunningSide,
  measureMs: number,
  enough?: Promise<unknown>,
): Promise<Turn> {
  const report = await side.measure(
    {
      connections: OTHERS_CONNECTIONS,
      workload: {
        kind: 'transfers',
        targets: context.targets.slice(1, 1 + OTHERS),
        phone: PAYING_PHONE,
      },
      warmUpMs: 0,
      measureMs,
      ratePerSecond: OTHERS_PER_SECOND,
    },
    enough === undefined ? {} : { enough },
  );
  return { ...toTurn(report), figures: { ratePerSecond: OTHERS_PER_SECOND } };
}

async function drain(
  context: ScenarioContext,
  side: RunningSide,
  filledMb: number | undefined,
): Promise<Turn> {
  const draining = drainBacklog(context, side, { backlog: BACKLOG });
  const [turn, drained] = await Promise.all([
    payOthers(context, side, DRAIN_DEADLINE_MS, draining),
    draining,
  ]);
  const memoryMb = Math.max(drained.residentMbMax, filledMb ?? Number.NaN);
  return {
    ...turn,
    figures: { ...turn.figures, drainPerSecond: drained.perSecond, memoryMb },
  };
}

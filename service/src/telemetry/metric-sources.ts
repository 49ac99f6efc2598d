import { Gauge, type Registry } from 'prom-client';
import type { DoubtKind } from '../domain/doubt-kind.ts';
import { FLOAT_LEVELS, type FloatLevel } from '../domain/float.ts';
import type { Operator } from '../domain/operator.ts';
import type { Mode } from '../domain/transfer.ts';
import type { TransferState } from '../domain/transfer-state.ts';
import { createCachedReading } from './cached-reading.ts';

/** What only the database knows. Asked at most every few seconds, however often we are scraped. */
export type UnfinishedCounts = Readonly<{
  inState: readonly Readonly<{ mode: Mode; state: TransferState; count: number }>[];
  /** The oldest transfer in each state that is not final. */
  oldest: readonly Readonly<{ mode: Mode; state: TransferState; ageSeconds: number }>[];
  doubts: readonly Readonly<{
    mode: Mode;
    kind: DoubtKind;
    operator: Operator;
    needsPerson: boolean;
    count: number;
  }>[];
  recipientsUnresolved: number;
  /** Contradictions that wait for a person. */
  incidentsOpen: number;
  /** Transfers and payout files that wait for approvals which the people who are left cannot give. */
  approvalsImpossible: number;
}>;

/** Where the values come from that are read at each scrape. */
export type MetricSources = Readonly<{
  /** How many commands wait for a commit. `cell`: while there are several. */
  commitQueuesWaiting: () => readonly Readonly<{
    cell: string | undefined;
    queue: string;
    waiting: number;
  }>[];
  /** Every cell, and whether it answers. */
  cells: () => Promise<readonly Readonly<{ name: string; isUp: boolean }>[]>;
  /** Every way to an operator: whether it takes payouts now, and what is on its way there. */
  routes: () => readonly Readonly<{ name: string; isOpen: boolean; used: number }>[];
  countUnfinished: () => Promise<UnfinishedCounts>;
  /** The money in our accounts with operators, as last read. */
  floats: () => Promise<readonly FloatFigures[]>;
}>;

export type FloatFigures = Readonly<{
  route: string;
  currency: string;
  level: FloatLevel;
  /** In whole units of the currency; null: unknown. */
  operator: number | null;
  ours: number | null;
  spendable: number | null;
  leftSeconds: number | null;
  ageSeconds: number | null;
}>;

export function registerSources(
  registry: Registry,
  sources: MetricSources,
  monotonicMs: () => number,
): void {
  const { commitQueuesWaiting, routes } = sources;
  registry.registerMetric(
    new Gauge({
      name: 'kafue_commit_queue_waiting',
      help: 'Commands that wait for a commit.',
      labelNames: ['cell', 'queue'],
      registers: [],
      collect() {
        this.reset();
        for (const { cell, queue, waiting } of commitQueuesWaiting()) {
          this.set(cell === undefined ? { queue } : { cell, queue }, waiting);
        }
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'kafue_route_open',
      help: '1 while payouts go out by the route; 0 while its operator fails or a person stopped it.',
      labelNames: ['route'],
      registers: [],
      collect() {
        for (const { name, isOpen } of routes()) this.set({ route: name }, isOpen ? 1 : 0);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'kafue_route_under_way',
      help: 'Submissions and inquiries under way to operators in this process.',
      labelNames: ['route'],
      registers: [],
      collect() {
        for (const { name, used } of routes()) this.set({ route: name }, used);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'kafue_cell_up',
      help: '1 while the database of a cell answers, else 0.',
      labelNames: ['cell'],
      registers: [],
      async collect() {
        this.reset();
        for (const { name, isUp } of await sources.cells()) this.set({ cell: name }, isUp ? 1 : 0);
      },
    }),
  );
  registerUnfinished(registry, createCachedReading({ read: sources.countUnfinished, monotonicMs }));
  registerFloats(registry, createCachedReading({ read: sources.floats, monotonicMs }));
}

/** Without an answer from the database the numbers are absent: an old number would look true. */
function registerUnfinished(
  registry: Registry,
  read: () => Promise<UnfinishedCounts | undefined>,
): void {
  registry.registerMetric(
    new Gauge({
      name: 'kafue_transfers_in_state',
      help: 'Transfers by mode and state.',
      labelNames: ['mode', 'state'],
      registers: [],
      async collect() {
        this.reset();
        const unfinished = await read();
        for (const { mode, state, count } of unfinished?.inState ?? [])
          this.set({ mode, state }, count);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'kafue_oldest_transfer_seconds',
      help: 'Age of the oldest transfer in each state that is not final.',
      labelNames: ['mode', 'state'],
      registers: [],
      async collect() {
        this.reset();
        const unfinished = await read();
        for (const { mode, state, ageSeconds } of unfinished?.oldest ?? []) {
          this.set({ mode, state }, ageSeconds);
        }
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'kafue_transfers_in_doubt',
      help: 'Transfers in doubt by kind (docs/runbooks/doubts.md), and whether they need a person.',
      labelNames: ['mode', 'kind', 'operator', 'needs_person'],
      registers: [],
      async collect() {
        this.reset();
        const unfinished = await read();
        for (const { mode, kind, operator, needsPerson, count } of unfinished?.doubts ?? []) {
          this.set({ mode, kind, operator, needs_person: String(needsPerson) }, count);
        }
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'kafue_recipients_unresolved',
      help: 'Recipients whose name the operator could not yet be asked for.',
      registers: [],
      async collect() {
        const unfinished = await read();
        if (unfinished === undefined) this.remove();
        else this.set(unfinished.recipientsUnresolved);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'kafue_incidents_open',
      help: 'Contradictions between what is recorded and what operators say, for a person.',
      registers: [],
      async collect() {
        const unfinished = await read();
        if (unfinished === undefined) this.remove();
        else this.set(unfinished.incidentsOpen);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'kafue_approvals_impossible',
      help: 'Transfers and payout files that wait for approvals which the people who are left cannot give.',
      registers: [],
      async collect() {
        const unfinished = await read();
        if (unfinished === undefined) this.remove();
        else this.set(unfinished.approvalsImpossible);
      },
    }),
  );
}

/** What is not known is absent. */
function registerFloats(
  registry: Registry,
  read: () => Promise<readonly FloatFigures[] | undefined>,
): void {
  const register = (
    name: string,
    help: string,
    valueOf: (float: FloatFigures) => number | null,
  ): void =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: ['route', 'currency'],
        registers: [],
        async collect() {
          this.reset();
          for (const float of (await read()) ?? []) {
            const { route, currency } = float;
            const value = valueOf(float);
            if (value !== null) this.set({ route, currency }, value);
          }
        },
      }),
    );
  register(
    'kafue_float',
    'What an operator says that our account holds, in whole units of the currency.',
    ({ operator }) => operator,
  );
  register('kafue_float_ours', 'What our own books say that it holds.', ({ ours }) => ours);
  register(
    'kafue_float_spendable',
    'The rest of it after everything that is under way and queued.',
    ({ spendable }) => spendable,
  );
  register(
    'kafue_float_left_seconds',
    'How long that lasts at the rate of the last day.',
    ({ leftSeconds }) => leftSeconds,
  );
  register(
    'kafue_float_age_seconds',
    'How long ago the operator said it.',
    ({ ageSeconds }) => ageSeconds,
  );
  registry.registerMetric(
    new Gauge({
      name: 'kafue_float_level',
      help: '1 for the level that the float of a route has: ok, low, out or unknown.',
      labelNames: ['route', 'currency', 'level'],
      registers: [],
      async collect() {
        this.reset();
        for (const { route, currency, level } of (await read()) ?? []) {
          for (const one of FLOAT_LEVELS) {
            this.set({ route, currency, level: one }, one === level ? 1 : 0);
          }
        }
      },
    }),
  );
}

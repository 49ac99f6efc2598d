import { Gauge, type Registry } from 'prom-client';
import type { Mode } from '../domain/transfer.ts';
import type { TransferState } from '../domain/transfer-state.ts';
import { createBoundedReading } from './bounded-reading.ts';

/** What only the database knows. Asked at most every few seconds, however often we are scraped. */
export type Census = Readonly<{
  inState: readonly Readonly<{ mode: Mode; state: TransferState; count: number }>[];
  /** The oldest transfer in each state that is not final. */
  oldest: readonly Readonly<{ mode: Mode; state: TransferState; ageSeconds: number }>[];
  recipientsUnresolved: number;
}>;

/** Where the values come from that are read when somebody looks. */
export type MetricSources = Readonly<{
  /** By lane: how many commands wait for a commit. */
  groupCommitsWaiting: () => Readonly<Record<string, number>>;
  dispatcherPlacesUsed: () => number;
  takeCensus: () => Promise<Census>;
}>;

export function registerSources(
  registry: Registry,
  sources: MetricSources,
  monotonicMs: () => number,
): void {
  const { groupCommitsWaiting, dispatcherPlacesUsed } = sources;
  registry.registerMetric(
    new Gauge({
      name: 'kafue_group_commit_waiting',
      help: 'Commands that wait for a commit.',
      labelNames: ['lane'],
      registers: [],
      collect() {
        for (const [lane, waiting] of Object.entries(groupCommitsWaiting())) {
          this.set({ lane }, waiting);
        }
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'kafue_dispatcher_places_used',
      help: 'Transfers on their way to an operator in this process.',
      registers: [],
      collect() {
        this.set(dispatcherPlacesUsed());
      },
    }),
  );
  registerCensus(registry, createBoundedReading({ read: sources.takeCensus, monotonicMs }));
}

/** Without an answer from the database the numbers are absent: an old number would look true. */
function registerCensus(registry: Registry, read: () => Promise<Census | undefined>): void {
  registry.registerMetric(
    new Gauge({
      name: 'kafue_transfers_in_state',
      help: 'Transfers by mode and state.',
      labelNames: ['mode', 'state'],
      registers: [],
      async collect() {
        this.reset();
        const census = await read();
        for (const { mode, state, count } of census?.inState ?? [])
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
        const census = await read();
        for (const { mode, state, ageSeconds } of census?.oldest ?? []) {
          this.set({ mode, state }, ageSeconds);
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
        const census = await read();
        if (census === undefined) this.remove();
        else this.set(census.recipientsUnresolved);
      },
    }),
  );
}

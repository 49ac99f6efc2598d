import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Outcome } from '../domain/outcome.ts';
import type { Mode } from '../domain/transfer.ts';
import { type MetricSources, registerSources } from './metric-sources.ts';
import { type OperationMetrics, RequestMetrics } from './request-metrics.ts';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const GROUP_SIZES = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000];

const PREFIX = 'kafue_';
/** Gauges whose names end like those of counters. Each is the sum of another that stays, by type. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

type OutcomeLabels = Readonly<{
  operator: string;
  country: string;
  mode: Mode;
  outcome: Outcome['kind'];
}>;

/** `waiting`: not looked at, since there were too many failures before. */
const SIGN_IN_RESULTS = ['succeeded', 'wrong_password', 'wrong_code', 'waiting'] as const;
export type SignInResult = (typeof SIGN_IN_RESULTS)[number];

type ScreeningLabel = 'allow' | 'hold' | 'refuse' | 'leaseLost';
type DeliveryResult = 'pending' | 'delivered' | 'failed' | 'leaseLost';

export type Metrics = Readonly<{
  operation(name: string): OperationMetrics;
  /** For `observe` of a commit queue. `cell`: the name of its cell, while there are several. */
  commitQueue(
    queue: string,
    cell?: () => string | undefined,
  ): (group: Readonly<{ size: number; elapsedMs: number }>) => void;
  countOutcome(labels: OutcomeLabels): void;
  /** An operator's answer that came after the transfer had moved on, or contradicts its end. */
  countUnexpectedOutcome(kind: 'superseded' | 'contradicted'): void;
  /** One POST of an event to a webhook endpoint. */
  countDeliveryAttempt(result: DeliveryResult, elapsedMs: number): void;
  /** From the event to its first POST. */
  observeDeliveryDelay(delayMs: number): void;
  /** One question to a screener. */
  countScreening(result: ScreeningLabel, elapsedMs: number): void;
  countSignIn(result: SignInResult): void;
  connectSources(sources: MetricSources): void;
  render(): Promise<Readonly<{ contentType: string; text: string }>>;
}>;

export function createMetrics({ monotonicMs }: Readonly<{ monotonicMs: () => number }>): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new RequestMetrics();
  collectDefaultMetrics({ register: registry, prefix: PREFIX });
  for (const name of MISNAMED) registry.removeSingleMetric(`${PREFIX}${name}`);
  const outcomes = new Counter({
    name: 'kafue_outcomes_total',
    help: 'Answers of operators by what they mean.',
    labelNames: ['operator', 'country', 'mode', 'outcome'],
    registers,
  });
  const unexpectedOutcomes = new Counter({
    name: 'kafue_unexpected_outcomes_total',
    help: 'Answers that came too late (superseded) or contradict what is recorded (contradicted).',
    labelNames: ['kind'],
    registers,
  });
  const attempts = new Counter({
    name: 'kafue_webhook_attempts_total',
    help: 'POSTs to webhook endpoints by what became of the delivery; pending is tried again.',
    labelNames: ['result'],
    registers,
  });
  const attemptSeconds = new Histogram({
    name: 'kafue_webhook_attempt_seconds',
    help: 'Time of one POST to a webhook endpoint.',
    buckets: SECONDS,
    registers,
  });
  const delays = new Histogram({
    name: 'kafue_webhook_delay_seconds',
    help: 'Time from an event to its first POST.',
    buckets: SECONDS,
    registers,
  });
  const signIns = new Counter({
    name: 'kafue_sign_ins_total',
    help: 'Attempts of people to sign in, by what became of them; waiting: too many failures before.',
    labelNames: ['result'],
    registers,
  });
  for (const result of SIGN_IN_RESULTS) signIns.inc({ result }, 0);
  unexpectedOutcomes.inc({ kind: 'superseded' }, 0);
  unexpectedOutcomes.inc({ kind: 'contradicted' }, 0);
  return {
    operation: (name) => requests.operation(name),
    commitQueue: commitQueueMetrics(registers),
    countOutcome: (labels) => outcomes.inc(labels),
    countUnexpectedOutcome: (kind) => unexpectedOutcomes.inc({ kind }),
    countDeliveryAttempt(result, elapsedMs) {
      attempts.inc({ result });
      attemptSeconds.observe(elapsedMs / 1000);
    },
    observeDeliveryDelay: (delayMs) => delays.observe(delayMs / 1000),
    countSignIn: (result) => signIns.inc({ result }),
    countScreening: screeningMetrics(registers),
    connectSources: (sources) => registerSources(registry, sources, monotonicMs),
    render: async () => ({
      contentType: registry.contentType,
      text: `${await registry.metrics()}\n${requests.render()}`,
    }),
  };
}

function screeningMetrics(registers: Registry[]): Metrics['countScreening'] {
  const screenings = new Counter({
    name: 'kafue_screenings_total',
    help: 'Questions to screeners by what the answer was taken for; leaseLost: another process asked too.',
    labelNames: ['result'],
    registers,
  });
  const seconds = new Histogram({
    name: 'kafue_screening_seconds',
    help: 'Time until a screener answered, or until its deadline.',
    buckets: SECONDS,
    registers,
  });
  return (result, elapsedMs) => {
    screenings.inc({ result });
    seconds.observe(elapsedMs / 1000);
  };
}

function commitQueueMetrics(registers: Registry[]): Metrics['commitQueue'] {
  const sizes = new Histogram({
    name: 'kafue_commit_queue_group_size',
    help: 'Commands that shared one commit.',
    labelNames: ['cell', 'queue'],
    buckets: GROUP_SIZES,
    registers,
  });
  const seconds = new Histogram({
    name: 'kafue_commit_queue_seconds',
    help: 'Time to store and commit one group.',
    labelNames: ['cell', 'queue'],
    buckets: SECONDS,
    registers,
  });
  return (queue, cellOf = () => undefined) => {
    const seriesOf = (cell: string | undefined) => {
      const labels = cell === undefined ? { queue } : { cell, queue };
      return { cell, size: sizes.labels(labels), duration: seconds.labels(labels) };
    };
    let series = seriesOf(cellOf());
    return (group) => {
      const cell = cellOf();
      if (cell !== series.cell) series = seriesOf(cell);
      const { size, duration } = series;
      size.observe(group.size);
      duration.observe(group.elapsedMs / 1000);
    };
  };
}

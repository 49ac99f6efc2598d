import { setTimeout as pause } from 'node:timers/promises';
import type { Mode, OperatorName } from '../plan/plan.ts';
import { steadyPayee } from '../plan/steady-numbers.ts';
import { type Answer, type ExchangeDeps, exchange } from './exchange.ts';
import type { Access } from './write-body.ts';

const PATH = '/api/v1/payments/transfers/mobile-money';
const CREATED = 201;
/** While other faults happen, a few orders are enough. */
const SLOW_INTERVAL_MS = 400;
/** Where each answer may pause the service for seconds, the orders of all cells together would keep it paused. */
const PAUSING_INTERVAL_MS = 5_000;
const INTERVAL_MS = 120;
const CURRENCIES = { zm: 'ZMW', ng: 'NGN' } as const;

/** A merchant that orders payouts of one unit during the whole run. */
export type SteadyMerchant = Readonly<{
  /** The name of its journal. */
  name: string;
  /** Whether its cell is on the second server. */
  isFar: boolean;
  books: Readonly<Record<Mode, string>>;
  keys: Access['keys'];
  wallets: Access['wallets'];
}>;

export type SteadyClient = Readonly<{
  /** Orders nothing until `goOn`. */
  rest(): void;
  /** Orders this often from now on, also after a rest. */
  goOn(frequency: 'seldom' | 'often'): void;
  /** Orders so many live payouts at once, beside the others. Each rejects unless it is accepted. */
  burst(count: number): readonly Promise<void>[];
  /** Resolves when all its orders were answered, or not in time. */
  stop(): Promise<void>;
}>;

/** Of a burst: live, and with its operator for a while. */
type Kind = Mode | 'burst';

type SteadyOptions = Readonly<{
  merchant: SteadyMerchant;
  operator: OperatorName;
  seed: number;
  /** Whether failpoints pause the service. */
  isPausing: boolean;
}>;

/** Orders test and live payouts in turn and never waits for an answer: slow answers must not make orders rarer. */
export function startSteady(deps: ExchangeDeps, options: SteadyOptions): SteadyClient {
  const underWay = new Set<Promise<unknown>>();
  let intervalMs = options.isPausing ? PAUSING_INTERVAL_MS : SLOW_INTERVAL_MS;
  let isResting = false;
  let changed = Promise.withResolvers<void>();
  let isStopping = false;
  let orders = 0;

  function order(kind: Kind): Promise<Answer | undefined> {
    orders += 1;
    const ordering = exchange(deps, requestOf(options, { kind, number: orders })).finally(() =>
      underWay.delete(ordering),
    );
    underWay.add(ordering);
    return ordering;
  }

  function change(): void {
    changed.resolve();
    changed = Promise.withResolvers();
  }

  async function orderOn(): Promise<void> {
    while (!isStopping) {
      if (isResting) {
        await changed.promise;
        continue;
      }
      void order(orders % 2 === 0 ? 'live' : 'test');
      await Promise.race([pause(intervalMs), changed.promise]);
    }
  }
  const ordering = orderOn();
  return {
    rest() {
      isResting = true;
    },
    goOn(frequency) {
      isResting = false;
      intervalMs = frequency === 'often' ? INTERVAL_MS : SLOW_INTERVAL_MS;
      change();
    },
    burst: (count) =>
      Array.from({ length: count }, async () => {
        const answer = await order('burst');
        if (answer?.status !== CREATED) throw new Error('not accepted');
      }),
    async stop() {
      isStopping = true;
      change();
      await ordering;
      await Promise.all(underWay);
    },
  };
}

function requestOf(
  { merchant, operator, seed }: SteadyOptions,
  { kind, number }: Readonly<{ kind: Kind; number: number }>,
) {
  const reference = `s${seed}.${merchant.name}.${number}`;
  const mode = kind === 'test' ? 'test' : 'live';
  const payee = steadyPayee(operator, { kind, line: number });
  const walletId = merchant.wallets[mode][CURRENCIES[payee.country]];
  return {
    method: 'POST',
    path: PATH,
    apiKey: merchant.keys[mode],
    idempotencyKey: null,
    body: JSON.stringify({ amount: 1, reference, ...payee, walletId }),
    reference,
    flaw: null,
    fate: { kind: 'clean' },
  } as const;
}

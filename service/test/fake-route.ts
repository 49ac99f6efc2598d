import type { Outcome } from '../src/domain/outcome.ts';
import type { BalanceAnswer, Connector, Payout } from '../src/operators/contract/connector.ts';
import { createSandboxLimiter, type RouteLimiter } from '../src/operators/limits/route-limiter.ts';
import type { Route, Routes } from '../src/operators/routes/route.ts';
import type { WireRecord } from '../src/operators/wire/wire-record.ts';

type Call = Readonly<{ call: 'submit' | 'inquire'; operatorReference: string; route: string }>;

export type FakeRoute = Readonly<{
  routes: Routes;
  /** The limiter of the first route. */
  limiter: RouteLimiter;
  /** What reached the operators, in order. */
  calls: readonly Call[];
}>;

type Script = Readonly<{
  name?: string;
  submit?: (payout: Payout) => Promise<Outcome> | Outcome;
  inquire?: (payout: Payout) => Promise<Outcome> | Outcome;
  abilities?: Partial<Connector['abilities']>;
  /** The wire record; none by default. */
  wire?: WireRecord;
  /** The current account; none by default. */
  account?: () => string;
  slotsMax?: number;
  /** The most that it pays now. */
  maxMinor?: () => bigint;
  /** Counts turns as for a real operator; by default only slots are counted. */
  limiter?: RouteLimiter;
  isShut?: boolean;
  /** Whether a person holds the route now. */
  isHeld?: () => boolean;
  /** The factor for its waits. 0: all waits are as short as possible. */
  timeScale?: number;
  /** The answers to questions about the balance; without it the operator has no such call. */
  balance?: () => Promise<BalanceAnswer>;
  float?: Route['float'];
  /** How a verified callback is read; without it callbacks are only hints. */
  readAnswer?: Connector['readAnswer'];
  /** How long the operator asked not to be called, as returned to a submission or inquiry whose turn has come. */
  pausedMs?: () => number;
}>;

const UNKNOWN: Outcome = { kind: 'unknown', cause: 'not in the script' };
const PLACES_MAX = 100;
/** The route that transfers of test books are stored with unless the test says otherwise. */
const FIRST_ROUTE = 'sandbox';

/** An operator that answers as the test says and records its calls. */
export function scriptRoute(script: Script): FakeRoute {
  return scriptRoutes([script]);
}

/** Several routes to the same operator, the preferred one first. */
export function scriptRoutes(scripts: readonly Script[]): FakeRoute {
  const calls: Call[] = [];
  const list = scripts.map((script) => createRoute(script, (call) => void calls.push(call)));
  const [first] = list;
  if (first === undefined) throw new Error('there must be a route');
  const routes: Routes = {
    list: () => list,
    beside: (route) => list.filter((other) => other !== route),
    named: (name) => list.find((route) => route.name === name),
    all: () => list,
    callbackTokenOf: () => null,
  };
  return { routes, limiter: first.limiter, calls };
}

function createRoute(script: Script, note: (call: Call) => void): Route {
  const { name = FIRST_ROUTE, wire = null } = script;
  const connector: Connector = {
    abilities: {
      deduplicates: true,
      referenceMemoryMs: 12 * 60 * 60_000,
      inquires: true,
      notFoundIsFinal: false,
      unconfirmedSuccessWaitMs: null,
      resolvesNames: false,
      reportsBalance: script.balance !== undefined,
      signedCallbacksAreFinal: script.readAnswer !== undefined,
      ...script.abilities,
    },
    async submit(payout) {
      note({ call: 'submit', operatorReference: payout.operatorReference, route: name });
      return { outcome: (await script.submit?.(payout)) ?? UNKNOWN, wire };
    },
    async inquire(payout) {
      note({ call: 'inquire', operatorReference: payout.operatorReference, route: name });
      return { outcome: (await script.inquire?.(payout)) ?? UNKNOWN, wire };
    },
    resolveName: async () => ({ kind: 'unreachable', cause: 'not in the script' }),
    ...(script.balance === undefined ? {} : { balance: script.balance }),
    ...(script.readAnswer === undefined ? {} : { readAnswer: script.readAnswer }),
  };
  const pausedMs = async (): Promise<number> => script.pausedMs?.() ?? 0;
  const open: RouteLimiter = {
    ...(script.limiter ?? createSandboxLimiter(script.slotsMax ?? PLACES_MAX)),
    submitTurn: pausedMs,
    inquiryTurn: pausedMs,
  };
  const { isShut = false, isHeld = () => false } = script;
  const takesNone = () => isShut || isHeld();
  const limiter: RouteLimiter = {
    ...open,
    isShut: () => isShut,
    isHeld,
    submitsFree: () => (takesNone() ? 0 : open.submitsFree()),
    reserve: (bookId) => !takesNone() && open.reserve(bookId),
    hold: (bookId, cell) => (takesNone() ? undefined : open.hold(bookId, cell)),
  };
  return {
    name,
    family: name,
    get account() {
      return script.account?.() ?? null;
    },
    connector,
    limiter,
    bounds: () => ({ minMinor: 1n, maxMinor: script.maxMinor?.() ?? 1_000_000n, decimals: 2 }),
    timeScale: script.timeScale ?? 0.01,
    float: script.float ?? { readEveryMs: 60_000, low: { belowMinor: null, hours: 4 } },
    health: () => 'up',
    closedForMs: () => 0,
  };
}

import { createServer, type Server } from 'node:http';
import { answerRequest } from './answer-request.ts';
import type { Payout } from './behaviour.ts';
import {
  type CallLimiter,
  type CallLimits,
  createCallLimiter,
  type KindOf,
  type Throttle,
} from './call-limiter.ts';
import { type Chooser, createChooser } from './choose-behaviour.ts';
import type {
  EmulatorContext,
  EmulatorParts,
  Protocol,
  RequestRecord,
} from './emulator-context.ts';
import { type Journal, openJournal } from './journal.ts';
import { createBackend, type OperatorBackend } from './operator-backend.ts';
import { NORMAL_OPERATION, type OperatorCondition } from './operator-condition.ts';
import { createRecentItems } from './recent-items.ts';
import { type CallbackRecord, createCallbackSender } from './send-callback.ts';
import { createTimers, type SetTimer } from './timers.ts';

export type EmulatorOptions = Readonly<{
  name: string;
  /** 0: any free port. */
  port: number;
  host?: string;
  journalPath: string;
  /** All times are multiplied by it: 1 is real time, 0.01 is a hundred times faster. */
  timeScale: number;
  protocol: Protocol;
  /** Called at startup for each payout of an earlier run that has not ended, to register its listener again. */
  resume?: (payout: Payout, context: EmulatorContext) => void;
  /** False: the same reference again is a new payout. */
  deduplicates?: boolean;
  /** The initial float in every currency. */
  floatMinor?: bigint;
  /** Makes the operator's transaction id from a counter. */
  operatorTransactionIdOf?: (number: number) => string;
  /** Classifies calls as submissions, inquiries or others; without it no call is throttled or limited. */
  kindOf?: KindOf;
  limits?: CallLimits;
  callbackTimeoutMs?: number;
  /** Where callbacks are delivered when their URLs name a public host; see `send-callback.ts`. */
  deliverCallbacksTo?: string;
}>;

export type RunningEmulator = Readonly<{
  name: string;
  url: string;
  port: number;
  backend: OperatorBackend;
  chooser: Chooser;
  setCondition(condition: OperatorCondition): void;
  /** Null removes the throttle. */
  setThrottle(throttle: Throttle | null): void;
  /** How many calls came, and how many of them were refused. */
  counts: CallLimiter['counts'];
  /** The last requests to the operator, without those to the control API. */
  requests(): readonly RequestRecord[];
  callbacks(): readonly CallbackRecord[];
  /** Closes every socket and timer. The next start restores the state from the journal. */
  close(): Promise<void>;
}>;

const REQUESTS_KEPT_MAX = 20_000;
const CALLBACKS_KEPT_MAX = 20_000;
const CALLBACK_TIMEOUT_MS_DEFAULT = 10_000;

export async function startEmulator(options: EmulatorOptions): Promise<RunningEmulator> {
  const { name, host = '127.0.0.1' } = options;
  const timers = createTimers();
  const journal = await openJournal(options.journalPath);
  const parts = composeParts(options, journal, timers.setTimer);
  const { backend, chooser } = parts.context;
  const underWay = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const handled = answerRequest(parts, request, response).finally(() => underWay.delete(handled));
    underWay.add(handled);
  });
  const close = async (): Promise<void> => {
    parts.closing.abort();
    await closeServer(server);
    await Promise.allSettled(underWay);
    await backend.close();
    timers.cancelAll();
    await journal.close();
  };
  const port = await listen(server, options.port, host).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  for (const payout of backend.open()) options.resume?.(payout, parts.context);
  let closed: Promise<void> | null = null;
  return {
    name,
    url: `http://${host}:${port}`,
    port,
    backend,
    chooser,
    setCondition(condition) {
      parts.condition = condition;
    },
    setThrottle: parts.limiter.setThrottle,
    counts: parts.limiter.counts,
    requests: () => parts.requests.all(),
    callbacks: () => parts.callbacks.all(),
    close: () => (closed ??= close()),
  };
}

function composeParts(
  options: EmulatorOptions,
  journal: Journal,
  setTimer: SetTimer,
): EmulatorParts {
  const { name, timeScale, protocol, deduplicates, floatMinor, operatorTransactionIdOf } = options;
  const { callbackTimeoutMs = CALLBACK_TIMEOUT_MS_DEFAULT, deliverCallbacksTo = null } = options;
  const now = Date.now;
  const chooser = createChooser();
  const closing = new AbortController();
  const callbacks = createRecentItems<CallbackRecord>(CALLBACKS_KEPT_MAX);
  const sendCallback = createCallbackSender({
    timeoutMs: callbackTimeoutMs,
    now,
    signal: closing.signal,
    record: callbacks.add,
    deliverTo: deliverCallbacksTo,
  });
  const backend = createBackend({
    journal,
    chooser,
    now,
    setTimer,
    timeScale,
    ...(deduplicates === undefined ? {} : { deduplicates }),
    ...(floatMinor === undefined ? {} : { floatMinor }),
    ...(operatorTransactionIdOf === undefined ? {} : { operatorTransactionIdOf }),
  });
  return {
    context: { name, backend, chooser, sendCallback, now, setTimer, timeScale },
    protocol,
    requests: createRecentItems(REQUESTS_KEPT_MAX),
    callbacks,
    closing,
    condition: NORMAL_OPERATION,
    balanceFault: 'none',
    limiter: createCallLimiter({ now, timeScale, limits: options.limits ?? {} }),
    kindOf: options.kindOf ?? (() => 'other'),
  };
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** Also closes hanging and keep-alive connections, so a caller that still waits gets a closed connection. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

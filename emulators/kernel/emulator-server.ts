import { createServer, type Server } from 'node:http';
import { answerRequest } from './answer-request.ts';
import type { Payout } from './behaviour.ts';
import { type Chooser, createChooser } from './choose-behaviour.ts';
import type {
  EmulatorContext,
  EmulatorParts,
  Protocol,
  RequestRecord,
} from './emulator-context.ts';
import {
  type CallLimits,
  createGateway,
  type Gateway,
  type KindOf,
  type Throttle,
} from './gateway.ts';
import { type Journal, openJournal } from './journal.ts';
import { createBackend, type OperatorBackend } from './operator-backend.ts';
import { CLEAR, type OperatorCondition } from './operator-condition.ts';
import { createRing } from './ring.ts';
import { type CallbackRecord, createCallbackSender } from './send-callback.ts';
import { createTimers, type SetTimer } from './timers.ts';

export type EmulatorOptions = Readonly<{
  name: string;
  /** 0: any free one. */
  port: number;
  host?: string;
  journalPath: string;
  /** All times are multiplied by it: 1 is real time, 0.01 a hundred times faster. */
  pace: number;
  protocol: Protocol;
  /** Called at the start for each payout of an earlier run that has not ended, to listen again. */
  resume?: (payout: Payout, context: EmulatorContext) => void;
  /** False: the same reference again is another payout. */
  deduplicates?: boolean;
  /** In the beginning, in every currency. */
  floatMinor?: bigint;
  /** How the operator numbers what it executes, from a number that counts up. */
  operatorTransactionIdOf?: (number: number) => string;
  /** Which calls submit payouts and which ask about them; without it none is throttled or limited. */
  kindOf?: KindOf;
  limits?: CallLimits;
  callbackTimeoutMs?: number;
  /** Where callbacks really go when their URLs name a public host; see `send-callback.ts`. */
  deliverCallbacksTo?: string;
}>;

export type RunningEmulator = Readonly<{
  name: string;
  url: string;
  port: number;
  backend: OperatorBackend;
  chooser: Chooser;
  setCondition(condition: OperatorCondition): void;
  /** Null: it takes all calls again. */
  setThrottle(throttle: Throttle | null): void;
  /** How many calls came, and how many of them were too many. */
  counts: Gateway['counts'];
  /** The last requests to the operator; those to the control API are not among them. */
  requests(): readonly RequestRecord[];
  callbacks(): readonly CallbackRecord[];
  /** Ends every socket and timer. What is in the journal comes back with the next start. */
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
    timers.callOffAll();
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
    setThrottle: parts.gateway.setThrottle,
    counts: parts.gateway.counts,
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
  const { name, pace, protocol, deduplicates, floatMinor, operatorTransactionIdOf } = options;
  const { callbackTimeoutMs = CALLBACK_TIMEOUT_MS_DEFAULT, deliverCallbacksTo = null } = options;
  const now = Date.now;
  const chooser = createChooser();
  const closing = new AbortController();
  const callbacks = createRing<CallbackRecord>(CALLBACKS_KEPT_MAX);
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
    pace,
    ...(deduplicates === undefined ? {} : { deduplicates }),
    ...(floatMinor === undefined ? {} : { floatMinor }),
    ...(operatorTransactionIdOf === undefined ? {} : { operatorTransactionIdOf }),
  });
  return {
    context: { name, backend, chooser, sendCallback, now, setTimer, pace },
    protocol,
    requests: createRing(REQUESTS_KEPT_MAX),
    callbacks,
    closing,
    condition: CLEAR,
    gateway: createGateway({ now, pace, limits: options.limits ?? {} }),
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

/** Hung and kept-alive connections too: whoever still waits for an answer sees the end. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

import type { IncomingMessage } from 'node:http';
import { refuse } from '../../domain/refusal.ts';
import type { RawCallback } from '../../operators/contract/connector.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { CallbackLimits } from './callback-limits.ts';
import { type CollectedBody, collectBody } from './collect-body.ts';
import { HttpExchange, type ServerContext } from './http-exchange.ts';
import type { Router } from './router.ts';

/** As much as a row of the table of callbacks holds. */
const CALLBACK_BYTES_MAX = 64 * 1_024;
const CALLBACK_PATH = '/callbacks/:route/:token';
const CALLBACK_METHODS = ['POST', 'PUT'] as const;

/** What the HTTP server needs to know about callbacks. */
export type CallbackReceiver = Readonly<{
  /** Whether the name and the token belong to a route. Synchronous, and equally fast for every wrong path. */
  isToken(path: Readonly<{ name: string; token: string }>): boolean;
  /** How many payouts a second may bring callbacks to the address of this route. */
  payoutsPerSecond(name: string): number;
  /** Stores one callback, and returns what to answer. */
  store(
    callback: Readonly<{ name: string; raw: RawCallback }>,
  ): Promise<Readonly<{ acknowledgement: string | null }>>;
}>;

type ServingDeps = Readonly<{
  serverContext: ServerContext;
  metrics: Pick<Metrics, 'operation'>;
}>;

/** Serves operators' callbacks. The token in the path is a secret: neither logs nor metrics contain it. */
export function serveCallbacks(
  router: Router,
  { serverContext, metrics }: ServingDeps,
  receiver: CallbackReceiver,
): void {
  const operation = { pattern: CALLBACK_PATH, metrics: metrics.operation('callback') };
  const limits = new CallbackLimits(serverContext.monotonicMs);
  for (const method of CALLBACK_METHODS) {
    router.serve(method, CALLBACK_PATH, (request, response, { route = '', token = '' }) => {
      const exchange = new HttpExchange(serverContext, operation, { request, response });
      void answer(exchange, { name: route, token }, { receiver, limits, serverContext });
    });
  }
}

type Serving = Readonly<{
  receiver: CallbackReceiver;
  limits: CallbackLimits;
  serverContext: ServerContext;
}>;

/** The token is checked first: of an unauthenticated call only the path is read. */
async function answer(
  exchange: HttpExchange,
  { name, token }: Readonly<{ name: string; token: string }>,
  serving: Serving,
): Promise<void> {
  const { receiver, limits } = serving;
  try {
    const { address } = exchange;
    if (!receiver.isToken({ name, token })) throw limits.refuseUnauthenticated(address);
    exchange.prove();
    const payoutsPerSecond = receiver.payoutsPerSecond(name);
    limits.admit(name, address, payoutsPerSecond);
    const body = await readCallbackBody(exchange, name, serving.serverContext);
    limits.admitBytes(name, body.length, payoutsPerSecond);
    const acknowledgement = await store(exchange, receiver, { name, body });
    exchange.prepareAnswer();
    exchange.reply
      .code(200)
      .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
      .send(acknowledgement ?? '{}');
    exchange.noteUnread();
  } catch (error) {
    exchange.fail(error);
  }
}

async function store(
  exchange: HttpExchange,
  receiver: CallbackReceiver,
  { name, body }: Readonly<{ name: string; body: Buffer }>,
): Promise<string | null> {
  exchange.beginWork();
  try {
    const raw = rawCallback(exchange.request, body);
    const { acknowledgement } = await receiver.store({ name, raw });
    return acknowledgement;
  } finally {
    exchange.endWork();
  }
}

async function readCallbackBody(
  exchange: HttpExchange,
  owner: string,
  { bodyBudgets }: ServerContext,
): Promise<Buffer> {
  const {
    request,
    reply: { raw: response },
  } = exchange;
  if (Number(request.headers['content-length']) > CALLBACK_BYTES_MAX) {
    throw refuse('BODY_TOO_LARGE');
  }
  if (request.headers.expect !== undefined) response.writeContinue();
  const { bytes, share } = await new Promise<CollectedBody>((resolve, reject) => {
    const options = { bytesMax: CALLBACK_BYTES_MAX, budget: bodyBudgets.callbacks, owner };
    collectBody(request, { ...options, json: undefined }, (error, body) => {
      if (body === undefined) reject(error);
      else resolve(body);
    });
  });
  // The body stays in memory until it is stored.
  if (share !== undefined) exchange.keepMemory(() => share.close());
  return bytes;
}

function rawCallback(request: IncomingMessage, body: Buffer): RawCallback {
  const headers = Object.entries(request.headersDistinct).map(
    ([name, values]) => [name, (values ?? []).join(', ')] as const,
  );
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: Object.fromEntries(headers),
    body,
  };
}

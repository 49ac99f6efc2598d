import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '../domain/refusal.ts';
import type { RawCallback } from '../operators/connector.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { Exchange, type Surroundings } from './exchange.ts';
import { readBytes } from './read-body.ts';
import { ShortReply } from './short-way.ts';

/** As much as the table of callbacks holds. */
const CALLBACK_BYTES_MAX = 64 * 1_024;
export const CALLBACK_PATH = '/callbacks/:route/:token';
export const CALLBACK_METHODS = ['POST', 'PUT'] as const;

/** What the edge needs to know about callbacks: stores one, and says what to answer. */
export type ReceiveCallback = (
  callback: Readonly<{ name: string; token: string; raw: RawCallback }>,
) => Promise<Readonly<{ acknowledgement: string | null }>>;

type ServingDeps = Readonly<{
  surroundings: Surroundings;
  metrics: Pick<Metrics, 'operation'>;
}>;

type Parameters = Readonly<{ route: string; token: string }>;

/** Where operators call us. The token in the path is a secret: neither logs nor metrics see it. */
export function serveCallbacks(
  app: FastifyInstance,
  { surroundings, metrics }: ServingDeps,
  receive: ReceiveCallback,
): void {
  const operation = { pattern: CALLBACK_PATH, metrics: metrics.operation('callback') };
  app.route<{ Params: Parameters }>({
    method: [...CALLBACK_METHODS],
    url: CALLBACK_PATH,
    handler: (request, reply) => {
      const short = new ShortReply(reply.hijack().raw);
      const exchange = new Exchange(surroundings, operation, { request, reply: short });
      void answer(exchange, request, receive);
    },
  });
}

async function answer(
  exchange: Exchange,
  request: FastifyRequest<{ Params: Parameters }>,
  receive: ReceiveCallback,
): Promise<void> {
  try {
    const { route: name, token } = request.params;
    const raw = await readCallback(request);
    const { acknowledgement } = await receive({ name, token, raw });
    exchange.prepareAnswer();
    exchange.reply
      .code(200)
      .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
      .send(acknowledgement ?? '{}');
  } catch (error) {
    exchange.fail(error);
  }
}

async function readCallback({ raw: request }: FastifyRequest): Promise<RawCallback> {
  if (Number(request.headers['content-length']) > CALLBACK_BYTES_MAX)
    throw refuse('BODY_TOO_LARGE');
  const body = await new Promise<Buffer>((resolve, reject) => {
    readBytes(request, CALLBACK_BYTES_MAX, (error, chunks) => {
      if (error === undefined) resolve(Buffer.concat(chunks));
      else reject(error);
    });
  });
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

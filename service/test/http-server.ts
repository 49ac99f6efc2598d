import { once } from 'node:events';
import { type IncomingHttpHeaders, request as sendRequest } from 'node:http';
import { connect } from 'node:net';
import { Type } from 'typebox';
import {
  createServer,
  type HttpServer,
  type HttpServerDeps,
  type HttpServerOptions,
} from '../src/http/create-server.ts';
import type {
  ApiAnswer,
  ApiOperation,
  ApiRequest,
  PublicOperation,
} from '../src/http/server/api-operation.ts';
import type { CallbackReceiver } from '../src/http/server/serve-callbacks.ts';
import type { AuthenticatedKey, KeyAuthenticator } from '../src/merchants/authenticated-key.ts';
import { createLogger } from '../src/telemetry/logger.ts';
import { createMetrics } from '../src/telemetry/metrics.ts';

/** For tests: a server on its own port, with operations and keys made for the test. */
export type TestServer = Readonly<{
  server: HttpServer;
  port: number;
  /** Every logged line. */
  logLines: readonly string[];
  send(call: Call): Promise<Reply>;
  /** Writes bytes unchanged and resolves with everything received until the connection ends. */
  exchange(bytes: string): Promise<string>;
  stop(): Promise<void>;
}>;

type Call = Readonly<{
  method?: string;
  path: string;
  headers?: Readonly<Record<string, string | string[]>>;
  body?: string | Buffer;
}>;

type Reply = Readonly<{ status: number; headers: IncomingHttpHeaders; text: string }>;

const AMPLE_MEMORY: HttpServerDeps['memory'] = {
  heap: () => ({ usedBytes: 0, limitBytes: 1 }),
  residentBytes: () => 0,
  collect: () => undefined,
  giveBack: () => undefined,
};

export const VALID_KEY = 'sk_test_valid';

export const TEST_KEY: AuthenticatedKey = {
  id: '01890a5d-ac96-774b-bcce-000000000001',
  actor: { kind: 'key', id: '01890a5d-ac96-774b-bcce-000000000001' },
  book: {
    id: '01890a5d-ac96-774b-bcce-000000000002',
    merchantId: '01890a5d-ac96-774b-bcce-000000000003',
    mode: 'test',
    feeTerms: { fixedMinor: 0n, basisPoints: 0 },
    isSuspended: false,
    controlsVersion: null,
    cell: 'main',
  },
  scopes: ['transfers:write', 'recipients:write', 'read'],
  addresses: [],
};

/** Knows the given keys, and answers synchronously. */
export function keysOf(keys: Readonly<Record<string, AuthenticatedKey>>): KeyAuthenticator {
  return { authenticate: (key) => keys[key] };
}

export function routeOf(
  route: Partial<ApiOperation>,
  handle: (request: ApiRequest) => Promise<ApiAnswer>,
): ApiOperation {
  return {
    method: 'GET',
    path: '/things',
    operationId: 'doThing',
    summary: 'Do a thing',
    description: 'A thing for tests.',
    tag: 'Transfers',
    scope: 'read',
    permission: 'payouts:read',
    schema: { data: { 200: Type.Object({ word: Type.String() }) } },
    ...route,
    handle,
  };
}

export async function startServer(
  routes: readonly ApiOperation[],
  {
    authenticator = keysOf({ [VALID_KEY]: TEST_KEY }),
    databaseAnswers = async () => true,
    databaseWrites = async () => undefined,
    renderRefusalData = (data) => data,
    callbacks = {
      isToken: () => true,
      payoutsPerSecond: () => 10,
      store: async () => ({ acknowledgement: null }),
    },
    consoleFiles,
    publicOperations = [],
    isForPeople = publicOperations.length > 0,
    findSession = isForPeople ? async () => undefined : undefined,
    readBook = () => Promise.reject(new Error('no book is known')),
    memory = AMPLE_MEMORY,
    monotonicMs = () => performance.now(),
    limits,
    ...options
  }: Partial<HttpServerOptions> &
    Readonly<{
      authenticator?: KeyAuthenticator;
      databaseAnswers?: () => Promise<boolean>;
      databaseWrites?: () => Promise<void>;
      renderRefusalData?: (data: Readonly<Record<string, unknown>>) => object;
      callbacks?: CallbackReceiver;
      consoleFiles?: HttpServerDeps['consoleFiles'];
      /** For clients that show nothing. */
      publicOperations?: readonly PublicOperation[];
      /** There are sessions, and all have ended. */
      isForPeople?: boolean;
      findSession?: HttpServerDeps['findSession'];
      readBook?: HttpServerDeps['readBook'];
      memory?: HttpServerDeps['memory'];
      monotonicMs?: () => number;
    }> = {},
): Promise<TestServer> {
  const logLines: string[] = [];
  let requests = 0;
  const server = createServer(
    {
      operations: {
        book: routes,
        bookPeople: [],
        public: publicOperations,
        own: [],
        merchant: [],
        staff: [],
      },
      authenticator,
      findSession,
      readBook,
      now: () => new Date(),
      metrics: createMetrics({ monotonicMs }),
      logger: createLogger({
        level: 'debug',
        destination: { write: (line) => logLines.push(line) },
      }),
      monotonicMs,
      newRequestId: () => `request-${(requests += 1)}`,
      databaseAnswers,
      databaseWrites,
      callbacks,
      consoleFiles,
      memory,
      renderRefusalData,
    },
    // Without the moment for newcomers: each test that ends its server would wait for it.
    { rateLimitPerSecond: 0, limits: { drainMinMs: 0, ...limits }, ...options },
  );
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    server,
    port,
    logLines,
    send: (call) => send(port, call),
    exchange: (bytes) => exchangeBytes(port, bytes),
    stop: () => server.drain(),
  };
}

async function send(port: number, { method = 'GET', path, headers, body }: Call): Promise<Reply> {
  const request = sendRequest({ port, method, path, headers: { ...headers }, agent: false });
  request.end(body);
  const [response] = await once(request, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return {
    status: response.statusCode,
    headers: response.headers,
    text: Buffer.concat(chunks).toString('utf8'),
  };
}

async function exchangeBytes(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  return Buffer.concat(received).toString('utf8');
}

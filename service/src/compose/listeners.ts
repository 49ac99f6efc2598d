import { randomUUID } from 'node:crypto';
import { StartRefused } from '../config/start-refused.ts';
import { readConsoleFiles } from '../http/console/console-files.ts';
import { createServer, type HttpServer, type HttpServerDeps } from '../http/create-server.ts';
import { type ApiDeps, listApiOperations } from '../http/list-api-operations.ts';
import { renderRefusalData } from '../http/merchant-api/render-refusal-data.ts';
import { createProcessMemory } from '../http/server/process-memory.ts';
import type { CallbackReceiver } from '../http/server/serve-callbacks.ts';
import { createKeyAuthenticator } from '../merchants/authenticate-key.ts';
import { probeWrite } from '../schema/probe-write.ts';
import type { Runtime } from './runtime.ts';

/** Where the service listens. */
export type Ports = Readonly<{
  port: number;
  /** The same as `port`, unless the console has its own; undefined: there is no console. */
  consolePort: number | undefined;
}>;

export type Listeners = Readonly<{
  listen(): Promise<Ports>;
  drain(): Promise<void>;
}>;

const NOT_BUILT =
  'the console is not built, so /console is not there: build it with npm run build -w console and start again';

/** One server for keys and people, or one for each where CONSOLE_PORT is set. */
export function composeListeners(
  runtime: Runtime,
  callbacks: CallbackReceiver,
  api: ApiDeps,
): Listeners {
  const { hasConsole, host, port, consolePort } = runtime.config;
  const common = listCommon(runtime, api);
  const forKeys = { authenticator: createAuthenticator(runtime), callbacks };
  if (!hasConsole) {
    const server = composeServer(runtime, { ...common, ...forKeys, ...NOT_FOR_PEOPLE });
    return {
      listen: async () => ({
        port: await listen(server, { host, port, variable: 'PORT' }),
        consolePort: undefined,
      }),
      drain: () => server.drain(),
    };
  }
  const forPeople = listForPeople(runtime, api);
  if (consolePort === undefined) {
    const server = composeServer(runtime, { ...common, ...forKeys, ...forPeople });
    return {
      async listen() {
        const taken = await listen(server, { host, port, variable: 'PORT' });
        return { port: taken, consolePort: taken };
      },
      drain: () => server.drain(),
    };
  }
  const keys = composeServer(runtime, { ...common, ...forKeys, ...NOT_FOR_PEOPLE });
  const people = composeServer(runtime, { ...common, ...NOT_FOR_KEYS, ...forPeople });
  return {
    listen: async () => ({
      consolePort: await listen(people, { host, port: consolePort, variable: 'CONSOLE_PORT' }),
      port: await listen(keys, { host, port, variable: 'PORT' }),
    }),
    drain: async () => void (await Promise.all([keys.drain(), people.drain()])),
  };
}

const NOT_FOR_PEOPLE = { findSession: undefined, consoleFiles: undefined } as const;
const NOT_FOR_KEYS = { authenticator: undefined, callbacks: undefined } as const;

function listForPeople({ logger }: Runtime, { sessions }: ApiDeps) {
  const consoleFiles = readConsoleFiles();
  if (consoleFiles === undefined) logger.warn({}, NOT_BUILT);
  return { findSession: sessions.findSession, consoleFiles };
}

function createAuthenticator({ reads, now, monotonicMs, logger }: Runtime) {
  return createKeyAuthenticator({
    database: reads,
    now,
    monotonicMs,
    onError: (error) => logger.warn({ err: error }, 'reading a key in the background failed'),
  });
}

function listCommon({ reads, now, monotonicMs, metrics, logger }: Runtime, api: ApiDeps) {
  return {
    operations: listApiOperations(api),
    now,
    metrics,
    logger,
    monotonicMs,
    newRequestId: () => randomUUID(),
    databaseAnswers: () => reads.isReady(),
    databaseWrites: () =>
      probeWrite(reads).catch((error: unknown) => {
        logger.error({ err: error }, 'the database cannot write');
        throw error;
      }),
    memory: createProcessMemory(),
    renderRefusalData,
  };
}

function composeServer({ config }: Runtime, deps: HttpServerDeps): HttpServer {
  return createServer(deps, {
    rateLimitPerSecond: config.rateLimitPerSecond,
    metricsToken: config.metricsToken,
    trustedProxies: config.trustedProxies,
  });
}

type Place = Readonly<{ host: string; port: number; variable: 'PORT' | 'CONSOLE_PORT' }>;

async function listen(server: HttpServer, { host, port, variable }: Place): Promise<number> {
  try {
    return await server.listen({ host, port });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'EADDRINUSE') {
      throw new StartRefused(
        `Port ${port} is taken by another program. Stop that, or set ${variable} to another.`,
        error,
      );
    }
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EACCES') {
      throw new StartRefused(
        `Cannot listen at ${host}:${port} (${error.code}). Set HOST to an address of this machine and ${variable} to one you may use.`,
        error,
      );
    }
    throw error;
  }
}

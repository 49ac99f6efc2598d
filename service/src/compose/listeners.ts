import { randomUUID } from 'node:crypto';
import { StartRefused } from '../config/start-refused.ts';
import { type ConsoleFiles, readConsoleFiles } from '../http/console/console-files.ts';
import { createServer, type HttpServer, type HttpServerDeps } from '../http/create-server.ts';
import type { Operations } from '../http/guard-operations.ts';
import { renderRefusalData } from '../http/merchant-api/render-refusal-data.ts';
import { createProcessMemory } from '../http/server/process-memory.ts';
import type { CallbackReceiver } from '../http/server/serve-callbacks.ts';
import type { KeyAuthenticator } from '../merchants/authenticated-key.ts';
import { createPlacedAuthenticator } from '../merchants/place-keys.ts';
import type { BookReader } from '../merchants/read-book.ts';
import type { SessionFinder } from '../people/session.ts';
import type { ComposedCell } from './cell.ts';
import type { CellKeeper } from './cell-keeper.ts';
import { composeHealth } from './health.ts';
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

type Served = Readonly<{
  operations: Operations;
  findSession: SessionFinder;
  readBook: BookReader;
  callbacks: CallbackReceiver;
}>;

/** One server for keys and people, or one for each where CONSOLE_PORT is set. */
export function composeListeners(
  runtime: Runtime,
  cells: CellKeeper<ComposedCell>,
  { operations, findSession, readBook, callbacks }: Served,
): Listeners {
  const { hasConsole, host, port, consolePort } = runtime.config;
  const common = listCommon(runtime, cells, operations);
  const forKeys = { authenticator: createAuthenticator(runtime, cells), callbacks };
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
  const forPeople = { findSession, readBook, consoleFiles: readFiles(runtime) };
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

const NOT_FOR_PEOPLE = {
  findSession: undefined,
  readBook: undefined,
  consoleFiles: undefined,
} as const;
const NOT_FOR_KEYS = { authenticator: undefined, callbacks: undefined } as const;

function readFiles({ logger }: Runtime): ConsoleFiles | undefined {
  const files = readConsoleFiles();
  if (files === undefined) logger.warn({}, NOT_BUILT);
  return files;
}

function createAuthenticator(
  { directory, monotonicMs }: Runtime,
  cells: CellKeeper<ComposedCell>,
): KeyAuthenticator {
  return createPlacedAuthenticator({
    directory,
    monotonicMs,
    alone: () => cells.alone(),
    authenticatorOf: (name) => cells.named(name).authenticator,
  });
}

function listCommon(
  { now, monotonicMs, metrics, logger }: Runtime,
  cells: CellKeeper<ComposedCell>,
  operations: Operations,
) {
  return {
    operations,
    now,
    metrics,
    logger,
    monotonicMs,
    newRequestId: () => randomUUID(),
    ...composeHealth(logger, cells),
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

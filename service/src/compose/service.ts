import { FIRST_CELL } from '../cells/cell.ts';
import { StartRefused } from '../config/start-refused.ts';
import { createFloatReader } from '../floats/float-reader.ts';
import { listApiOperations } from '../http/list-api-operations.ts';
import { serveCells } from '../http/serve-cells.ts';
import { createBookReader } from '../merchants/read-book.ts';
import type { RouteConfig } from '../operators/route-file/read-routes.ts';
import { createRouteStopReader } from '../resolutions/route-stop-reader.ts';
import { STOP_WITHIN_MS } from './cell.ts';
import { composeCells } from './cells.ts';
import { createCompanyFollower } from './company-follower.ts';
import { connectMetrics } from './connect-metrics.ts';
import { composeListeners, type Ports } from './listeners.ts';
import { composeCallbacks } from './receive-callbacks.ts';
import { type ComposeOptions, createRuntime } from './runtime.ts';
import { composeSharedApi } from './shared-api.ts';

export type Service = Readonly<{
  /** Loads another list of live routes without dropping work; returns the problems that prevent it. */
  reloadRoutes(configs: readonly RouteConfig[]): Promise<readonly string[]>;
  start(): Promise<Ports>;
  /** Stops accepting requests, finishes what is under way, and closes the database. */
  stop(): Promise<void>;
}>;

/** Builds the whole service. Before `start` only the list of cells is read. */
export async function composeService(options: ComposeOptions): Promise<Service> {
  const runtime = createRuntime(options);
  const { directory, routes, stoppedRoutes, monotonicMs, logger, config } = runtime;
  const cells = await composeCells(runtime, process.env);
  const [first] = cells.composed();
  if (first === undefined) throw new StartRefused(NO_CELL);
  let ports: Ports | undefined;
  const consolePort = () => ports?.consolePort ?? config.port;
  const follower = createCompanyFollower(cells, logger);
  const main = cells.composed().find(({ name }) => name === FIRST_CELL) ?? first;
  const shared = composeSharedApi(runtime, cells, {
    main,
    consolePort,
    tellCells: follower.follow,
  });
  const books = serveCells(first.operations, (name) => cells.named(name));
  const listeners = composeListeners(runtime, cells, {
    operations: listApiOperations(books, shared),
    findSession: shared.sessions.findSession,
    readBook: createBookReader(cells),
    callbacks: composeCallbacks(runtime, cells),
  });
  const stops = createRouteStopReader({ directory, stoppedRoutes, logger });
  const floats = createFloatReader({ directory, cells, routes, monotonicMs, logger });
  connectMetrics(runtime, cells);
  return {
    async reloadRoutes(configs) {
      const problems = runtime.live.reload(configs);
      if (problems.length > 0) return problems;
      await Promise.all(cells.answering().map((cell) => cell.lookForRemovedRoutes()));
      return problems;
    },
    async start() {
      // Before anything can be sent: a route may be held because the database was restored.
      await stops.read();
      runtime.live.start();
      stops.start();
      await cells.start();
      floats.start();
      follower.start();
      ports = await listeners.listen();
      return ports;
    },
    async stop() {
      const untilMs = monotonicMs() + STOP_WITHIN_MS;
      await listeners.drain();
      const withinMs = Math.max(0, untilMs - monotonicMs());
      await Promise.all([stops.stop(), floats.stop(), follower.stop(), cells.stop({ withinMs })]);
      runtime.live.close();
      await Promise.all([cells.close(), directory.close()]);
      logger.flush();
    },
  };
}

const NO_CELL =
  'There is no cell whose server is known. Set the environment variables of the cells and start again.';

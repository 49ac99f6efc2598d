import { randomFillSync, randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { readConfig } from '../../service/src/config/config.ts';
import { createUuidV7Source } from '../../service/src/domain/uuid.ts';
import { createServer } from '../../service/src/http/create-server.ts';
import { initiateTransferOperation } from '../../service/src/http/merchant-api/initiate-transfer.ts';
import { createProcessMemory } from '../../service/src/http/server/process-memory.ts';
import { createKeyAuthenticator } from '../../service/src/merchants/authenticate-key.ts';
import { createRoutes, NO_LIVE_ROUTES } from '../../service/src/operators/routes/routes.ts';
import { createSandboxRoute } from '../../service/src/operators/sandbox/sandbox-route.ts';
import { openDatabase } from '../../service/src/postgres/database.ts';
import { createLogger } from '../../service/src/telemetry/logger.ts';
import { createMetrics } from '../../service/src/telemetry/metrics.ts';
import { commitOne } from './per-request-commit.ts';

/**
 * The service with one change: each transfer is stored in its own transaction, not in a group. Everything before and
 * after is the service's own code. It sends nothing to operators and does not scan, which leaves more of the machine to
 * what is measured.
 */

/** Found by trying 1 to 48: two overlap their work, more only wait for the same wallet. */
const WRITERS_MAX = 2;
const READERS_MAX = 2;

const config = readConfig(process.env);
const logger = createLogger({ level: config.logLevel });
const now = () => new Date();
const monotonicMs = () => performance.now();
const onError = (error: Error) => logger.error({ err: error }, 'a database connection was lost');
const connectionString = config.migrationDatabaseUrl ?? '';
const pool = new Pool({ connectionString, max: WRITERS_MAX, pipeline: true, keepAlive: true });
pool.on('error', onError);
const reads = openDatabase({
  connectionString,
  applicationName: 'per-request reader',
  connectionsMax: READERS_MAX,
  onError,
});
const metrics = createMetrics({ monotonicMs });
const deps = { pool, leaseOwner: randomUUID(), now };

const initiate = initiateTransferOperation({
  database: reads,
  groups: {
    submit: (prepared) => commitOne(deps, prepared),
    submitMany: (many) => many.map((prepared) => commitOne(deps, prepared)),
    waiting: () => pool.waitingCount,
    idle: () => Promise.resolve(),
  },
  controls: { find: () => null, findCurrent: () => Promise.resolve(null) },
  matchName: () => Promise.resolve(null),
  routes: createRoutes({
    sandbox: createSandboxRoute({
      delayMs: config.sandboxDelayMs,
      now,
      wait: () => Promise.resolve(),
    }),
    live: NO_LIVE_ROUTES,
  }),
  dispatch: () => undefined,
  newId: createUuidV7Source(Date.now, randomFillSync),
  now,
  monotonicMs: () => performance.now(),
});

const server = createServer(
  {
    operations: { book: [initiate], bookPeople: [], public: [], own: [], merchant: [], staff: [] },
    findSession: undefined,
    readBook: undefined,
    consoleFiles: undefined,
    now,
    authenticator: createKeyAuthenticator({
      cell: 'main',
      database: reads,
      directory: reads,
      now,
      monotonicMs,
      onError: (error) => logger.error({ err: error }, 'reading a key failed'),
    }),
    metrics,
    logger,
    monotonicMs,
    newRequestId: () => randomUUID(),
    databaseAnswers: () => reads.isReady(),
    databaseWrites: async () => undefined,
    memory: createProcessMemory(),
    callbacks: {
      isToken: () => false,
      payoutsPerSecond: () => 0,
      store: () => Promise.reject(new Error('no routes')),
    },
  },
  { rateLimitPerSecond: config.rateLimitPerSecond },
);
await server.listen({ host: config.host, port: config.port });

import { randomBytes, randomFillSync } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { composeService, type Service } from './compose/service.ts';
import { BadConfig, type Config, EXIT_BAD_CONFIG } from './config/config.ts';
import { StartRefused } from './config/start-refused.ts';
import { type DemoFile, readOrWriteDemoFile } from './demo.ts';
import { createUuidV7Source } from './domain/uuid.ts';
import { findMisspelt } from './environment/find-misspelt.ts';
import { leaveRoot } from './leave-root.ts';
import { openServiceDatabase, type ServiceDatabase } from './open-service-database.ts';
import { BadRouteFile, loadRoutes } from './operators/route-file/load-routes.ts';
import { consoleOriginAt } from './people/console-origin.ts';
import { createPasswordHasher } from './people/hash-password.ts';
import { BadConnectionString } from './postgres/connection-tls.ts';
import { readSystemUsers } from './postgres/embedded/system-users.ts';
import { UnsafeDatabase } from './postgres/prepare-session.ts';
import { readSettings } from './read-settings.ts';
import { createLogger, type Logger } from './telemetry/logger.ts';
import { agreeOnSealingKeys } from './webhooks/agree-on-keys.ts';
import { BadSealingKeys } from './webhooks/read-sealing-keys.ts';
import { createSealer, deriveSealingKeys, type Sealer } from './webhooks/seal-secret.ts';
import { renderWelcome } from './welcome.ts';

/** If stopping takes longer than this, or a second signal comes, requests under way are given up. */
const STOP_DEADLINE_MS = 20_000;
/** After that the embedded database is still stopped, unless this passes or a third signal comes. */
const LEAVE_DEADLINE_MS = 5_000;
/** A signal to the whole process group arrives a second time at once, from the program that started us. */
const ECHO_MS = 1_000;
const EXIT_FAILED = 1;
const PROGRAM = fileURLToPath(new URL('../migrations', import.meta.url));

/** Part of the key derivation: with another word, stored credentials could not be opened. */
const CREDENTIALS_USE = 'operator credentials';

const AS_OWNER =
  'the service works as the owner of its tables: docs/database.md says how to give it a role of its own';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  for (const { name, meant } of findMisspelt(process.env)) {
    say(`WARNING: ${name} is not read. Did you mean ${meant}?`);
  }
  const users = await readSystemUsers();
  const { config, keys, liveRoutes } = await readSettings({
    env: process.env,
    leaveRoot: (read) => leaveRoot({ process, users, say }, { ...read, programDir: PROGRAM }),
  });
  const logger = createLogger({ level: config.logLevel });
  const sealer = createSealer(keys);
  const credentialSealer = createSealer(deriveSealingKeys(keys, CREDENTIALS_USE));
  const signals = listenForSignals(logger);
  const database = await openServiceDatabase({ say }, config);
  let service: Service;
  try {
    const deps = { database: database.database, env: process.env, now: () => new Date() };
    await agreeOnSealingKeys(deps, { keys, lost: config.webhookKeysLost });
    service = await composeService({
      config,
      logger,
      liveRoutes,
      sealer,
      credentialSealer,
      connectionString: database.connectionString,
      alone: database.embedded,
    });
  } catch (error) {
    await database.close();
    throw error;
  }
  if (config.routesFile !== undefined) {
    process.on('SIGHUP', () => void reloadRoutes(service, config, logger));
  }
  try {
    // Written before the service can report that it is ready; written again if the port was chosen by the system.
    if (database.embedded) await openDemo(database, { ...config, sealer }, config.port);
    const { port, consolePort } = await service.start();
    const demo = database.embedded
      ? await openDemo(database, { ...config, sealer }, port)
      : undefined;
    if (database.asOwner) logger.warn({}, AS_OWNER);
    logger.info({ host: config.host, port, consolePort, pid: process.pid }, 'listening');
    if (demo !== undefined) say(renderWelcome(demo, findConsoleUrl(config, consolePort)));
  } catch (error) {
    await service.stop();
    await database.close();
    throw error;
  }
  await signals.stop;
  const isHurried = await Promise.race([service.stop().then(() => false), signals.hurry]);
  await database.close();
  logger.info({ pid: process.pid }, 'stopped');
  logger.flush();
  if (isHurried) process.exit(EXIT_FAILED);
}

/** A file with a mistake changes nothing: the routes stay as they were. */
async function reloadRoutes(
  service: Service,
  { routesFile }: Config,
  logger: Logger,
): Promise<void> {
  try {
    const problems = await service.reloadRoutes(await loadRoutes(routesFile, process.env));
    if (problems.length > 0) throw new BadRouteFile(routesFile ?? '', problems);
    logger.info({ signal: 'SIGHUP' }, 'routes loaded anew');
  } catch (error) {
    logger.error({ signal: 'SIGHUP', err: error }, 'routes stay as they were');
  }
}

async function openDemo(
  { database }: ServiceDatabase,
  { dataDir, host, sealer }: Config & Readonly<{ sealer: Sealer }>,
  port: number,
): Promise<DemoFile | undefined> {
  const newId = createUuidV7Source(Date.now, randomFillSync);
  const passwords = createPasswordHasher({ randomBytes });
  const common = { now: () => new Date(), newId, randomBytes, sealer, passwords };
  // The demo is on one server, where the handle of the main cell finds the directory too.
  const deps = { database, directory: database, ...common };
  return readOrWriteDemoFile(deps, { dataDir, baseUrl: `http://${host}:${port}` });
}

function findConsoleUrl(
  { host, consoleOrigin }: Config,
  port: number | undefined,
): string | undefined {
  if (port === undefined) return undefined;
  return `${consoleOrigin ?? consoleOriginAt({ host, port })}/console`;
}

type StopSignals = Readonly<{
  /** Resolves at the first signal to stop. */
  stop: Promise<void>;
  /** Resolves to true at the second, or when stopping takes too long. */
  hurry: Promise<true>;
}>;

function listenForSignals(logger: Logger): StopSignals {
  const stop = Promise.withResolvers<void>();
  const hurry = Promise.withResolvers<true>();
  let isHurried = false;
  const hurryUp = (): void => {
    if (isHurried) process.exit(EXIT_FAILED);
    isHurried = true;
    logger.warn({}, 'giving up what is under way');
    setTimeout(() => process.exit(EXIT_FAILED), LEAVE_DEADLINE_MS).unref();
    hurry.resolve(true);
  };
  let heardMs = Number.NEGATIVE_INFINITY;
  const onSignal = (signal: NodeJS.Signals): void => {
    const isFirst = heardMs === Number.NEGATIVE_INFINITY;
    const isEcho = performance.now() - heardMs <= ECHO_MS;
    if (isEcho) return;
    heardMs = performance.now();
    if (!isFirst) {
      hurryUp();
      return;
    }
    logger.info({ signal }, 'stopping');
    setTimeout(hurryUp, STOP_DEADLINE_MS).unref();
    stop.resolve();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return { stop: stop.promise, hurry: hurry.promise };
}

// A reader of our output that ends, such as `npm start | head`, is no reason to stop paying.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

// Everything that matters is in the database: a process in an unknown state is worth less than a new one.
process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.stack ?? error.message}\n`);
  process.exit(EXIT_FAILED);
});

try {
  await main();
  process.exit(0);
} catch (error) {
  const badConfig = [
    BadConfig,
    BadConnectionString,
    BadSealingKeys,
    BadRouteFile,
    UnsafeDatabase,
  ].some((bad) => error instanceof bad);
  const expected = badConfig || error instanceof StartRefused;
  const text = error instanceof Error ? (expected ? error.message : error.stack) : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(badConfig ? EXIT_BAD_CONFIG : EXIT_FAILED);
}

import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { programFile } from '../../scripts/program-file.ts';
import { MAIN_CELL } from '../../service/src/schema/service-schema.ts';
import { DELIVERIES_FILE, LOGS_FOLDER, OPERATORS_FOLDER } from '../journal/exchange-record.ts';
import { type OperatorName, type Plan, SECOND_ACCOUNT } from '../plan/plan.ts';
import { STEADY_RULES } from '../plan/steady-numbers.ts';
import { type LinkProxy, startLinkProxy } from '../proxy/link-proxy.ts';
import { CELL_SERVER_VARIABLE, type CellServer, openCellServer } from './cell-server.ts';
import type { CellAt } from './cell-urls.ts';
import { CLOCK_SHIM, createMovableClock, type MovableClock } from './movable-clock.ts';
import { type OperatorProcess, type RouteEntry, startOperator } from './operator-process.ts';
import { type Supervised, supervise } from './supervised-process.ts';
import { openTargetDatabase, type TargetDatabase } from './target-database.ts';
import { pollUntil } from './wait-for-quiet.ts';

const SANDBOX_DELAY_MS = 50;
/** With this scale the 15 minutes after which "not found" counts are 1.8 seconds. */
export const ROUTE_TIME_SCALE = 0.002;
/** A payout executed 90 seconds late is executed after 0.9 s, well before those 1.8 seconds end. */
const OPERATOR_TIME_SCALE = 0.01;
/** Two hours between webhook attempts are 0.7 seconds. */
const WEBHOOK_TIME_SCALE = 0.0001;
const TIMEOUTS = { tokenMs: 500, submitMs: 700, inquireMs: 700, nameMs: 500, balanceMs: 500 };
/** A busy machine takes its time; waiting costs nothing when all is well. */
const START_TIMEOUT_MS = 240_000;
/** The route to the first account of the operator with two accounts. */
const FIRST_OF_TWO = 'mtn-zm';
const PRESSED_PER_SECOND = 3;
const FEW_SLOTS = 4;
const SEALING_KEY = `faults:${Buffer.alloc(32, 7).toString('base64')}`;

/** All processes and proxies of one seed. */
export type TestSystem = Readonly<{
  plan: Plan;
  folder: string;
  database: TargetDatabase;
  /** Where there are several cells, some of them are here. */
  cellServer: CellServer | undefined;
  /** Their places. Others are added once the services have made the first. */
  cells: CellAt[];
  services: readonly ServiceProcess[];
  /** By the names of their books. */
  operators: ReadonlyMap<AccountName, OperatorProcess>;
  receiver: Supervised<number>;
  receiverUrl: string;
  /** Receives the operators' callbacks and forwards them to any service. */
  front: LinkProxy;
  /** The port of a service that listens; alternates where there are two. */
  servicePort(): number | undefined;
  /** From now on services start without failpoints. */
  disarm(): void;
  close(): Promise<void>;
}>;

type AccountName = OperatorName | typeof SECOND_ACCOUNT;

type ServiceProcess = Readonly<{
  process: Supervised<number>;
  clock: MovableClock;
  /** Removes an account from its route file. The returned function restores it when no other fault needs it removed. */
  dropAccount(name: OperatorName): Promise<() => Promise<void>>;
}>;

export async function openTestSystem(
  plan: Plan,
  folder: string,
  signal: AbortSignal,
): Promise<TestSystem> {
  const opened: (() => Promise<unknown>)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of opened.toReversed()) await close();
  };
  try {
    return await open(plan, { folder, signal, opened, closeAll });
  } catch (error) {
    await closeAll();
    throw error;
  }
}

type Opening = Readonly<{
  folder: string;
  signal: AbortSignal;
  opened: (() => Promise<unknown>)[];
  closeAll: () => Promise<void>;
}>;

async function open(plan: Plan, opening: Opening): Promise<TestSystem> {
  const { folder, signal, opened, closeAll } = opening;
  await mkdir(join(folder, LOGS_FOLDER), { recursive: true });
  const services: ServiceProcess[] = [];
  let turn = 0;
  const servicePort = (): number | undefined => {
    const ports = services.flatMap(({ process }) => process.ready() ?? []);
    turn += 1;
    return ports[turn % Math.max(1, ports.length)];
  };
  const front = await startLinkProxy({ targetPort: servicePort });
  opened.push(() => front.close());
  const receiver = startReceiver(plan, folder);
  opened.push(() => receiver.stop());
  const openings = [
    openTargetDatabase(plan.system).then((target) => {
      opened.push(() => target.close());
      return target;
    }),
    openSecondServer(plan, opened),
    startOperators(plan, { folder, signal, front, opened }),
    waitForAll([receiver], signal),
  ] as const;
  // Waits for all of them, also when one fails, so that everything that opened can be closed.
  await Promise.allSettled(openings);
  const [database, cellServer, operators] = await Promise.all(openings);
  let armed = true;
  for (let index = 0; index < plan.system.services; index += 1) {
    const routesFile = join(folder, `routes-${index}.json`);
    const write = (without: OperatorName | null) =>
      writeRoutes({ routesFile, front, operators, plan }, without);
    await write(null);
    let dropped = 0;
    const dropAccount = async (name: OperatorName) => {
      dropped += 1;
      await write(name);
      return async () => {
        dropped -= 1;
        if (dropped === 0) await write(null);
      };
    };
    const clock = await createMovableClock(join(folder, `clock-${index}`));
    const environment = { database, cellServer, routesFile, clock, index, isArmed: () => armed };
    const process = startService(plan, folder, environment);
    opened.push(() => process.stop());
    services.push({ process, clock, dropAccount });
    // The second service must find the tables that the first one creates.
    await waitForAll([process], signal);
  }
  return {
    plan,
    folder,
    database,
    cellServer,
    cells: [{ ...MAIN_CELL, isFar: false }],
    services,
    operators,
    receiver,
    receiverUrl: `http://localhost:${receiver.ready() ?? 0}/`,
    front,
    servicePort,
    disarm() {
      armed = false;
    },
    close: closeAll,
  };
}

function isAwayPlanned({ cells }: Plan): boolean {
  return cells !== undefined && cells.away !== null;
}

async function openSecondServer(
  plan: Plan,
  opened: Opening['opened'],
): Promise<CellServer | undefined> {
  if (!isAwayPlanned(plan)) return undefined;
  const server = await openCellServer();
  opened.push(() => server.close());
  return server;
}

async function waitForAll(
  processes: readonly Pick<Supervised<unknown>, 'ready'>[],
  signal: AbortSignal,
): Promise<void> {
  const all = async () => processes.every(({ ready }) => ready() !== undefined);
  if (!(await pollUntil(signal, START_TIMEOUT_MS, all)))
    throw new Error('a process did not start in time');
}

function startReceiver(plan: Plan, folder: string): Supervised<number> {
  const journal = join(folder, DELIVERIES_FILE);
  // The endpoint keeps its address for the whole run.
  let port = 0;
  return supervise<number>({
    command: () => ({
      args: [
        programFile('receiver'),
        journal,
        String(port),
        String(plan.seed),
        JSON.stringify(plan.system.receiver),
      ],
      env: {},
    }),
    logFile: join(folder, 'receiver.log'),
    readReady: (line) => {
      const ready = line.startsWith('{"ready"')
        ? (JSON.parse(line) as { ready: number })
        : undefined;
      port = ready?.ready ?? port;
      return ready?.ready;
    },
  });
}

async function startOperators(
  plan: Plan,
  place: Pick<Opening, 'folder' | 'signal' | 'opened'> & Readonly<{ front: LinkProxy }>,
): Promise<ReadonlyMap<AccountName, OperatorProcess>> {
  const { operators, secondAccount } = plan.system;
  const accounts = [
    ...operators.map((operator) => ({ name: operator.name, operator, suffix: '' }) as const),
    ...(secondAccount === null
      ? []
      : [{ name: SECOND_ACCOUNT, operator: secondAccount, suffix: '-2' } as const]),
  ];
  const started = await Promise.all(
    accounts.map(async ({ name, operator, suffix }) => {
      const folder = join(place.folder, OPERATORS_FOLDER, name);
      await mkdir(folder, { recursive: true });
      const one = await startOperator({
        plan: operator,
        suffix,
        seed: plan.seed,
        folder,
        logFile: join(place.folder, `${name}.log`),
        // The operators refuse an IP address as callback host.
        callbackUrl: `http://localhost:${place.front.port}`,
        timeScale: OPERATOR_TIME_SCALE,
        rules: isAwayPlanned(plan) ? STEADY_RULES : [],
      });
      place.opened.push(async () => {
        await one.link.close();
        await one.process.stop();
      });
      return [name, one] as const;
    }),
  );
  await waitForAll(
    started.map(([, { process }]) => process),
    place.signal,
  );
  return new Map<AccountName, OperatorProcess>(started);
}

/** Writes a new file and renames it, so that a process never reads half a file. */
async function writeRoutes(
  place: Readonly<{
    routesFile: string;
    front: LinkProxy;
    operators: ReadonlyMap<AccountName, OperatorProcess>;
    plan: Plan;
  }>,
  without: OperatorName | null,
): Promise<void> {
  const { routesFile, front, operators } = place;
  const { referenceMemoryHours, signedCallbacksAreFinal } = place.plan.system;
  const routes = [...operators].flatMap(([name, operator]) =>
    name === without
      ? []
      : operator.routes().map((route) => {
          const isOfCells =
            isAwayPlanned(place.plan) && operator.plan.name === place.plan.cells?.operator;
          const isFinal = signedCallbacksAreFinal && operator.plan.name === 'pawapay';
          const set = isFinal ? withFinalCallbacks(route) : route;
          return isOfCells ? withFewSlots(set) : withLowLimit(set, operators);
        }),
  );
  const file = {
    callbackBaseUrl: `http://localhost:${front.port}`,
    routes: routes.map((route) => ({
      ...route,
      settings: inOperatorTime(route.settings),
      timeScale: ROUTE_TIME_SCALE,
      referenceMemoryHours,
      timeouts: TIMEOUTS,
    })),
  };
  await writeFile(`${routesFile}.new`, JSON.stringify(file, null, 2));
  await rename(`${routesFile}.new`, routesFile);
}

/** A session is activated on the operator's time scale, which is slower here than the route's time scale. */
function inOperatorTime(settings: RouteEntry['settings']): RouteEntry['settings'] {
  const { sessionActivationMs: activationMs } = settings;
  if (typeof activationMs !== 'number') return settings;
  const sessionActivationMs = (activationMs * OPERATOR_TIME_SCALE) / ROUTE_TIME_SCALE;
  return { ...settings, sessionActivationMs };
}

/** Gives the first of two accounts a low limit, so that some of its payouts are queued when routes change. */
function withLowLimit(
  route: RouteEntry,
  operators: ReadonlyMap<AccountName, OperatorProcess>,
): RouteEntry {
  if (!operators.has(SECOND_ACCOUNT) || route.name !== FIRST_OF_TWO) return route;
  return { ...route, limits: { ...route.limits, submitsPerSecond: PRESSED_PER_SECOND } };
}

function withFinalCallbacks(route: RouteEntry): RouteEntry {
  return { ...route, settings: { ...route.settings, signedCallbacksAreFinal: true } };
}

/** So few that payouts of the second server's cells take all of them when they are ordered at once. */
function withFewSlots(route: RouteEntry): RouteEntry {
  return { ...route, limits: { ...route.limits, concurrency: FEW_SLOTS } };
}

function startService(
  plan: Plan,
  folder: string,
  given: Readonly<{
    database: TargetDatabase;
    cellServer: CellServer | undefined;
    routesFile: string;
    clock: MovableClock;
    index: number;
    isArmed: () => boolean;
  }>,
): Supervised<number> {
  const { database, cellServer, routesFile, clock, index, isArmed } = given;
  const { failpoints } = plan.system;
  return supervise<number>({
    command: (starts) => ({
      args: ['--import', CLOCK_SHIM, programFile('service')],
      env: {
        PORT: '0',
        DATA_DIR: database.serviceUrl === undefined ? database.dataDir : join(folder, 'data'),
        ...(database.serviceUrl === undefined ? {} : { DATABASE_URL: database.serviceUrl }),
        ...(database.ownerUrl === undefined ? {} : { MIGRATION_DATABASE_URL: database.ownerUrl }),
        ...(cellServer === undefined ? {} : { [CELL_SERVER_VARIABLE]: cellServer.serviceUrl }),
        ROUTES_FILE: routesFile,
        SANDBOX_DELAY_MS: String(SANDBOX_DELAY_MS),
        RATE_LIMIT_PER_SECOND: '0',
        WEBHOOKS_TO_LOOPBACK: 'live',
        WEBHOOK_TIME_SCALE: String(WEBHOOK_TIME_SCALE),
        WEBHOOK_SECRET_KEYS: SEALING_KEY,
        LOG_LEVEL: 'debug',
        CLOCK_FILE: clock.file,
        // Uses another seed at each start. Otherwise the process would die at the same visit each time.
        ...(failpoints === null || !isArmed()
          ? {}
          : { FAILPOINTS: `${failpoints}.${index}.${starts}` }),
      },
    }),
    logFile: join(folder, LOGS_FOLDER, `service-${index}.log`),
    readReady: readPort,
  });
}

function readPort(line: string): number | undefined {
  if (!line.startsWith('{')) return undefined;
  const entry = JSON.parse(line) as { msg?: string; port?: number };
  return entry.msg === 'listening' ? entry.port : undefined;
}

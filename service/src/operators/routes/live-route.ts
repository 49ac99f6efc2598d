import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { createBackgroundLoop } from '../../background/background-loop.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { AmountBounds, Connector, OperatorConditions } from '../contract/connector.ts';
import { scaleTime } from '../contract/scale-time.ts';
import type { CredentialOwner, CredentialStore } from '../credentials/credential-store.ts';
import { createLiveLimiter } from '../limits/route-limiter.ts';
import type { RouteConfig } from '../route-file/read-routes.ts';
import type { Health, Route } from './route.ts';

/** How often an operator's own conditions are read. */
const CONDITIONS_INTERVAL_MS = 60_000;

export type LiveRouteDeps = Readonly<{
  now: () => Date;
  monotonicMs: () => number;
  wait: (ms: number) => Promise<void>;
  random: () => number;
  newUuid: () => string;
  /** Stores the tokens and sessions of a route and its account across restarts. */
  keepCredentials: (owner: CredentialOwner) => CredentialStore;
  /** Called when an operator opens, closes or changes its bounds. */
  onConditions: (route: string, conditions: OperatorConditions) => void;
  /** Whether a person holds the route of this name; read each time. */
  isHeld: (route: string) => boolean;
  logger: Pick<Logger, 'warn'>;
  /** Whether a person closed the route of this name; asked each time. */
  isClosed: (route: string) => boolean;
}>;

/** One route to a real operator. It stays the same object across reloads, because transfers are in its limiter. */
export type LiveRoute = Route &
  Readonly<{
    config(): RouteConfig;
    change(config: RouteConfig): void;
    /** Accepts nothing new any more; inquiries about sent payouts go on. */
    retire(): void;
    isRetired(): boolean;
    start(): void;
    close(): void;
  }>;

export function createLiveRoute(deps: LiveRouteDeps, first: RouteConfig): LiveRoute {
  let config = first;
  let account = fingerprintAccount(config);
  let connector = connect(deps, config);
  let retired = false;
  let conditions: OperatorConditions = { kind: 'unreachable', cause: 'not asked yet' };

  const saysClosed = () => conditions.kind === 'known' && !conditions.open;
  const limiter = createLiveLimiter({
    operatorLimits: () => config.operatorLimits,
    isClosed: () => retired || saysClosed() || deps.isClosed(first.name),
    isHeld: () => deps.isHeld(first.name),
    monotonicMs: deps.monotonicMs,
    wait: deps.wait,
    random: deps.random,
    timeScale: config.timeScale,
    inquires: connector.abilities.inquires,
  });

  async function readConditions(): Promise<void> {
    const before = conditions;
    const asked = connector;
    const read = await asked.readConditions?.();
    if (read === undefined || asked !== connector) return;
    // If the operator cannot be reached, its last known conditions stay.
    if (read.kind === 'known') conditions = read;
    const stillUnknown = before.kind === 'unreachable' && read.kind === 'unreachable';
    if (!stillUnknown && !isDeepStrictEqual(before, read)) deps.onConditions(config.name, read);
  }

  const loop = createBackgroundLoop({
    async round() {
      await readConditions();
      return CONDITIONS_INTERVAL_MS * config.timeScale;
    },
    what: `reading the conditions of ${first.name}`,
    logger: deps.logger,
    retryInMs: CONDITIONS_INTERVAL_MS * first.timeScale,
  });

  return {
    name: first.name,
    family: first.kind.name,
    get connector() {
      return connector;
    },
    get account() {
      return account;
    },
    get timeScale() {
      return config.timeScale;
    },
    get float() {
      return config.float;
    },
    limiter,
    bounds: () => narrow(config.bounds, conditions),
    health(): Health {
      if (limiter.isShut() || limiter.isHeld()) return 'down';
      return limiter.answers() === undefined ? 'unknown' : 'up';
    },
    closedForMs: () => 0,
    config: () => config,
    change(next) {
      retired = false;
      if (isDeepStrictEqual(next, config)) return;
      const left = connector;
      connector = connect(deps, next);
      config = next;
      account = fingerprintAccount(next);
      left.close?.();
      conditions = { kind: 'unreachable', cause: 'not asked yet' };
      loop.wake();
    },
    retire() {
      retired = true;
    },
    isRetired: () => retired,
    start: loop.start,
    close() {
      // A reading under way stores nothing, so a stop does not wait for an operator that hangs.
      void loop.stop();
      connector.close?.();
    },
  };
}

function connect(deps: LiveRouteDeps, config: RouteConfig): Connector {
  const { now, monotonicMs, wait, newUuid } = deps;
  const { kind, settings, operator, country, timeouts, callbackUrl, operatorLimits, timeScale } =
    config;
  const connector = kind.create(settings, {
    operator,
    country,
    timeouts,
    // Enough for submissions and inquiries, with some room for names.
    connectionsMax: operatorLimits.concurrency * 2,
    callbackUrl,
    referenceMemoryMs: config.referenceMemoryMs * timeScale,
    timeScale,
    now,
    monotonicMs,
    wait,
    newUuid,
    credentials: deps.keepCredentials({ route: config.name, account: fingerprintAccount(config) }),
  });
  return scaleTime(connector, { timeScale, now });
}

const FINGERPRINT_LENGTH = 16;

function fingerprintAccount({ kind, settings }: RouteConfig): string {
  const account = JSON.stringify([kind.name, ...kind.accountOf(settings)]);
  return createHash('sha256').update(account).digest('hex').slice(0, FINGERPRINT_LENGTH);
}

/** The bounds within both our own and the operator's. */
function narrow(own: AmountBounds, conditions: OperatorConditions): AmountBounds {
  const theirs = conditions.kind === 'known' ? conditions.bounds : null;
  if (theirs === null) return own;
  return {
    minMinor: own.minMinor > theirs.minMinor ? own.minMinor : theirs.minMinor,
    maxMinor: own.maxMinor < theirs.maxMinor ? own.maxMinor : theirs.maxMinor,
    decimals: Math.min(own.decimals, theirs.decimals),
  };
}

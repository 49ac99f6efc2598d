import { resolve } from 'node:path';
import type { Mode } from '../domain/transfer.ts';
import { isAddressRange } from '../http/server/client-address.ts';
import { type MailSettings, readMailSettings } from '../mail/read-mail-settings.ts';
import type { IssuerSettings } from '../people/single-sign-on/issuer.ts';
import { findTlsProblem } from '../postgres/connection-tls.ts';
import { LOG_LEVELS, type LogLevel } from '../telemetry/logger.ts';
import { readConsoleOrigin, readIssuer } from './read-console-variables.ts';

/** EX_CONFIG of sysexits: the environment is wrong, and starting again will not help. */
export const EXIT_BAD_CONFIG = 78;

const PORT_MAX = 65_535;
const SANDBOX_DELAY_MAX_MS = 600_000;
const RATE_LIMIT_MAX = 1_000_000;
/** More than a large payroll, too little to find out who has which number. */
const RESOLVE_LIMIT_PER_DAY = 10_000;
const RESOLVE_LIMIT_PER_DAY_MAX = 100_000_000;

export type Config = Readonly<{
  host: string;
  port: number;
  /** False: neither console nor sessions. */
  hasConsole: boolean;
  /** Of the listener that console and sessions have for themselves; undefined: they share `port`. */
  consolePort: number | undefined;
  /** CIDR ranges of the proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  dataDir: string;
  /** The user to go on as when started as root; undefined: the owner of `dataDir`, if ordinary. */
  runAs: string | undefined;
  /** Undefined: an embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined;
  /** The owner's URL, for migrations; undefined: DATABASE_URL is the owner's, or the owner migrates. */
  migrationDatabaseUrl: string | undefined;
  /** Use the database of `databaseUrl` although it could lose what it confirms. */
  allowUnsafeDatabase: boolean;
  /** The live routes; undefined: there are none. */
  routesFile: string | undefined;
  sandboxDelayMs: number;
  /** Per key; 0 is none. */
  rateLimitPerSecond: number;
  /** Account names per key and day; 0 is no limit. */
  resolveLimitPerDay: number;
  /** Ids of keys that are gone for good, with which webhook secrets may be sealed. */
  webhookKeysLost: readonly string[];
  metricsToken: string | undefined;
  /** Where people have the console; undefined: only on this machine itself. */
  consoleOrigin: string | undefined;
  /** Single sign-on; undefined: there is none. */
  issuer: IssuerSettings | undefined;
  /** Of the mail server; undefined: no mail is sent. */
  mail: MailSettings | undefined;
  logLevel: LogLevel;
  /** The books whose webhooks may go to this machine itself. */
  webhooksToLoopback: readonly Mode[];
  /** How fast the schedule of webhook attempts runs; below 1 only to try things out. */
  webhookTimeScale: number;
}>;

/** Everything that is wrong with the environment, at once. */
export class BadConfig extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'BadConfig';
    this.problems = problems;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Throws BadConfig when a variable is wrong. */
export function readConfig(env: Environment): Config {
  const { config, problems } = readVariables(env);
  if (problems.length > 0) throw new BadConfig(problems);
  return config;
}

/** What the variables say, and everything that is wrong with them. */
export function readVariables(
  env: Environment,
): Readonly<{ config: Config; problems: readonly string[] }> {
  const problems: string[] = [];
  const read = createVariableReader(env, problems);
  const port = read.wholeNumber('PORT', { fallback: 3_000, max: PORT_MAX });
  const config: Config = Object.freeze({
    host: read.text('HOST', '127.0.0.1', HOST, 'a host name or address, such as 127.0.0.1'),
    port,
    hasConsole: readConsole(env, problems),
    consolePort: readConsolePort(env, read, port),
    trustedProxies: readTrustedProxies(env, problems),
    dataDir: resolve(read.text('DATA_DIR', 'data', NOT_BLANK, 'a folder, such as data')),
    runAs: given(env, 'RUN_AS'),
    databaseUrl: readDatabaseUrl(env, 'DATABASE_URL', problems),
    migrationDatabaseUrl: readDatabaseUrl(env, 'MIGRATION_DATABASE_URL', problems),
    allowUnsafeDatabase: readAllowUnsafeDatabase(env, problems),
    routesFile: readPath(env, 'ROUTES_FILE'),
    sandboxDelayMs: read.wholeNumber('SANDBOX_DELAY_MS', {
      fallback: 1_000,
      max: SANDBOX_DELAY_MAX_MS,
    }),
    rateLimitPerSecond: read.wholeNumber('RATE_LIMIT_PER_SECOND', {
      fallback: 1_000,
      max: RATE_LIMIT_MAX,
    }),
    resolveLimitPerDay: read.wholeNumber('RESOLVE_LIMIT_PER_DAY', {
      fallback: RESOLVE_LIMIT_PER_DAY,
      max: RESOLVE_LIMIT_PER_DAY_MAX,
    }),
    webhookKeysLost: readWebhookKeysLost(env, problems),
    metricsToken: readMetricsToken(env, problems),
    consoleOrigin: readConsoleOrigin(given(env, 'CONSOLE_ORIGIN'), problems),
    issuer: readIssuer(
      {
        OIDC_ISSUER: given(env, 'OIDC_ISSUER'),
        OIDC_CLIENT_ID: given(env, 'OIDC_CLIENT_ID'),
        OIDC_CLIENT_SECRET: given(env, 'OIDC_CLIENT_SECRET'),
      },
      problems,
    ),
    mail: readMailSettings(env, problems),
    logLevel: readLogLevel(env, problems),
    webhooksToLoopback: readWebhooksToLoopback(env, problems),
    webhookTimeScale: readTimeScale(env, problems),
  });
  if (config.migrationDatabaseUrl !== undefined && given(env, 'DATABASE_URL') === undefined) {
    problems.push('MIGRATION_DATABASE_URL needs DATABASE_URL, which the service works with.');
  }
  return { config, problems };
}

const HOST = /^[a-zA-Z0-9.:_-]{1,255}$/;
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;
const NOT_BLANK = /\S/;
const WHOLE_NUMBER = /^\d{1,15}$/;
const METRICS_TOKEN_LENGTH_MIN = 16;

// A variable that is set to nothing counts as not set: that is what an empty line in a .env file means.
function given(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === undefined || value === '' ? undefined : value;
}

function createVariableReader(env: Environment, problems: string[]) {
  return {
    text(name: string, fallback: string, pattern: RegExp, wanted: string): string {
      const value = given(env, name) ?? fallback;
      if (!pattern.test(value)) problems.push(`${name} must be ${wanted}.`);
      return value;
    },
    wholeNumber(name: string, bounds: Readonly<{ fallback: number; max: number }>): number {
      const text = given(env, name);
      if (text === undefined) return bounds.fallback;
      const value = WHOLE_NUMBER.test(text) ? Number(text) : Number.NaN;
      if (value <= bounds.max) return value;
      problems.push(`${name} must be a whole number from 0 to ${bounds.max}.`);
      return bounds.fallback;
    },
  };
}

function readConsole(env: Environment, problems: string[]): boolean {
  const text = given(env, 'CONSOLE') ?? 'on';
  if (text !== 'on' && text !== 'off') problems.push('CONSOLE must be on or off.');
  return text !== 'off';
}

/** The port of the API itself means to share it; 0 is any port, and so another. */
function readConsolePort(
  env: Environment,
  read: ReturnType<typeof createVariableReader>,
  portOfApi: number,
): number | undefined {
  if (given(env, 'CONSOLE_PORT') === undefined) return undefined;
  const port = read.wholeNumber('CONSOLE_PORT', { fallback: 0, max: PORT_MAX });
  return port !== 0 && port === portOfApi ? undefined : port;
}

function readDatabaseUrl(env: Environment, name: string, problems: string[]): string | undefined {
  const text = given(env, name);
  if (text === undefined) return undefined;
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocol === 'postgres:' || protocol === 'postgresql:') {
    const problem = findTlsProblem(text);
    if (problem !== undefined) problems.push(`${name}: ${problem}`);
    return text;
  }
  // Never repeated here: it holds a password.
  problems.push(`${name} must look like postgres://user:password@host:5432/database.`);
  return undefined;
}

function readAllowUnsafeDatabase(env: Environment, problems: string[]): boolean {
  const text = given(env, 'ALLOW_UNSAFE_DATABASE') ?? '0';
  if (text !== '0' && text !== '1') {
    problems.push('ALLOW_UNSAFE_DATABASE must be 0 (no) or 1 (payouts may be lost).');
  }
  return text === '1';
}

function readTrustedProxies(env: Environment, problems: string[]): readonly string[] {
  const ranges = (given(env, 'TRUSTED_PROXIES') ?? '').split(',').map((range) => range.trim());
  const named = ranges.filter((range) => range !== '');
  if (named.every(isAddressRange)) return named;
  problems.push(
    'TRUSTED_PROXIES must be addresses or ranges with commas between, such as 10.0.0.0/8, ::1.',
  );
  return [];
}

function readPath(env: Environment, name: string): string | undefined {
  const path = given(env, name);
  return path === undefined ? undefined : resolve(path);
}

function readWebhookKeysLost(env: Environment, problems: string[]): readonly string[] {
  const ids = (given(env, 'WEBHOOK_KEYS_LOST') ?? '').split(',').map((id) => id.trim());
  const named = ids.filter((id) => id !== '');
  if (named.every((id) => KEY_ID.test(id))) return named;
  problems.push('WEBHOOK_KEYS_LOST must be ids of keys with commas between, such as k1, k2.');
  return [];
}

function readMetricsToken(env: Environment, problems: string[]): string | undefined {
  const token = given(env, 'METRICS_TOKEN');
  if (token !== undefined && token.length < METRICS_TOKEN_LENGTH_MIN) {
    problems.push(`METRICS_TOKEN must have at least ${METRICS_TOKEN_LENGTH_MIN} characters.`);
  }
  return token;
}

function readLogLevel(env: Environment, problems: string[]): LogLevel {
  const text = given(env, 'LOG_LEVEL') ?? 'info';
  const level = LOG_LEVELS.find((known) => known === text);
  if (level === undefined) problems.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`);
  return level ?? 'info';
}

const LOOPBACK_MODES: ReadonlyMap<string, readonly Mode[]> = new Map([
  ['0', []],
  ['1', ['test']],
  ['live', ['test', 'live']],
]);

function readWebhooksToLoopback(env: Environment, problems: string[]): readonly Mode[] {
  const modes = LOOPBACK_MODES.get(given(env, 'WEBHOOKS_TO_LOOPBACK') ?? '0');
  if (modes === undefined) {
    problems.push('WEBHOOKS_TO_LOOPBACK must be 0 (no), 1 (test books) or live (live books too).');
  }
  return modes ?? [];
}

function readTimeScale(env: Environment, problems: string[]): number {
  const timeScale = Number(given(env, 'WEBHOOK_TIME_SCALE') ?? '1');
  if (timeScale > 0 && timeScale <= 1) return timeScale;
  problems.push('WEBHOOK_TIME_SCALE must be a number above 0 and at most 1.');
  return 1;
}

import { Check } from 'typebox/value';
import {
  AMOUNT_MAX_MINOR,
  AMOUNT_MIN_MINOR,
  MINOR_DIGITS,
  parseDecimal,
} from '../../domain/money.ts';
import type { AmountBounds } from '../connector.ts';
import type { ConnectorKind, Pressure, Timeouts } from '../connector-kind.ts';
import { describeMistakes } from './describe-mistakes.ts';
import { fillFromEnvironment } from './fill-from-environment.ts';
import { DEFAULT_TIMEOUTS, type RouteEntry, RouteFile } from './route-entry.ts';

/** A route as it is to be, all references filled in and all defaults taken. */
export type RouteConfig = Readonly<{
  name: string;
  kind: ConnectorKind;
  operator: RouteEntry['operator'];
  country: RouteEntry['country'];
  priority: number;
  bounds: AmountBounds;
  pressure: Pressure;
  timeouts: Timeouts;
  /** Null: callbacks of this route are not taken. */
  callbackToken: string | null;
  /** What the operator is told; null when there is no token or no address. */
  callbackUrl: string | null;
  pace: number;
  settings: Record<string, unknown>;
}>;

export type RoutesRead = Readonly<{ configs: readonly RouteConfig[]; problems: readonly string[] }>;

type Given = Readonly<{
  text: string;
  env: Readonly<Record<string, string | undefined>>;
  kinds: readonly ConnectorKind[];
}>;

/** Reads a route file: either routes, or everything that is wrong with it, at once. */
export function readRoutes({ text, env, kinds }: Given): RoutesRead {
  const json = parseJson(text);
  if (json === undefined) return refuse(['the file: is not JSON.']);
  const { value, fromEnvironment, problems } = fillFromEnvironment(json, env);
  if (!Check(RouteFile, value))
    return refuse([...problems, ...describeMistakes(RouteFile, value, '')]);
  const found = [...problems, ...findRepeated(value.routes)];
  const configs = value.routes.flatMap((entry, index) => {
    const place = `routes.${index}`;
    const kind = kinds.find(({ name }) => name === entry.connector);
    const wrong = findMistakes(entry, { place, kind, kinds, fromEnvironment });
    found.push(...wrong);
    return kind === undefined || wrong.length > 0
      ? []
      : [toConfig(entry, kind, value.callbackBaseUrl)];
  });
  return found.length > 0 ? refuse(found) : { configs, problems: [] };
}

function refuse(problems: readonly string[]): RoutesRead {
  return { configs: [], problems };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function findRepeated(entries: readonly RouteEntry[]): string[] {
  return entries.flatMap(({ name }, index) =>
    entries.findIndex((other) => other.name === name) < index
      ? [`routes.${index}.name: ${name} is already the name of another route.`]
      : [],
  );
}

type Context = Readonly<{
  place: string;
  kind: ConnectorKind | undefined;
  kinds: readonly ConnectorKind[];
  fromEnvironment: ReadonlySet<string>;
}>;

function findMistakes(entry: RouteEntry, context: Context): string[] {
  const { place, kind, kinds } = context;
  if (kind === undefined) {
    const known = kinds.map(({ name }) => name).join(', ');
    return [`${place}.connector: must be one of ${known}.`];
  }
  const settings = `${place}.settings`;
  const wrong = describeMistakes(kind.settings, entry.settings, settings);
  if (wrong.length === 0) {
    const found = [
      ...(kind.checkSettings?.(entry.settings) ?? []),
      ...(kind.checkPair?.(entry.settings, entry) ?? []),
    ];
    wrong.push(...found.map((problem) => `${settings}.${problem}.`));
  }
  return [
    ...wrong,
    ...findWrongPair(entry, kind, place),
    ...findOpenSecrets(entry, context),
    ...findWrongBounds(entry, place),
  ];
}

function findWrongPair({ operator, country }: RouteEntry, kind: ConnectorKind, place: string) {
  const serves =
    kind.pairs === null ||
    kind.pairs.some((pair) => pair.operator === operator && pair.country === country);
  return serves
    ? []
    : [`${place}: the connector ${kind.name} does not serve ${operator} in ${country}.`];
}

/** A secret in a file ends up in a repository; only an emulator on this machine has none to lose. */
function findOpenSecrets(entry: RouteEntry, { place, kind, fromEnvironment }: Context): string[] {
  const { baseUrl } = entry.settings;
  if (typeof baseUrl === 'string' && isLoopback(baseUrl)) return [];
  const properties: unknown = kind?.settings['properties' as keyof typeof kind.settings];
  const names = secretNames(properties).map((name) => `${place}.settings.${name}`);
  return [...names, `${place}.callbackToken`]
    .filter((name) => isGiven(entry, name.slice(place.length + 1)) && !fromEnvironment.has(name))
    .map((name) => `${name}: is a secret, so it must come from the environment, as \${NAME}.`);
}

function secretNames(properties: unknown): string[] {
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties)
    .filter(([, schema]) => typeof schema === 'object' && schema !== null && 'secret' in schema)
    .map(([name]) => name);
}

function isGiven(entry: RouteEntry, name: string): boolean {
  if (name === 'callbackToken') return entry.callbackToken !== undefined;
  return entry.settings[name.slice('settings.'.length)] !== undefined;
}

export function isLoopback(address: string): boolean {
  const hostname = URL.parse(address)?.hostname ?? '';
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

function findWrongBounds(entry: RouteEntry, place: string): string[] {
  const { minMinor, maxMinor } = boundsOf(entry);
  if (minMinor === undefined) return [`${place}.bounds.min: must be at least 0.01.`];
  if (maxMinor === undefined) return [`${place}.bounds.max: must be at most 1000000000.00.`];
  return minMinor <= maxMinor ? [] : [`${place}.bounds: min must not be above max.`];
}

function boundsOf({ bounds = {} }: RouteEntry) {
  return {
    minMinor: bounds.min === undefined ? AMOUNT_MIN_MINOR : parseDecimal(bounds.min),
    maxMinor: bounds.max === undefined ? AMOUNT_MAX_MINOR : parseDecimal(bounds.max),
    decimals: bounds.decimals ?? MINOR_DIGITS,
  };
}

function toConfig(
  entry: RouteEntry,
  kind: ConnectorKind,
  callbackBaseUrl: string | undefined,
): RouteConfig {
  const { name, operator, country, priority = 1, pace = 1, settings } = entry;
  const { minMinor = AMOUNT_MIN_MINOR, maxMinor = AMOUNT_MAX_MINOR, decimals } = boundsOf(entry);
  const callbackToken = entry.callbackToken ?? null;
  const base = callbackBaseUrl?.replace(/\/$/, '');
  return {
    name,
    kind,
    operator,
    country,
    priority,
    bounds: { minMinor, maxMinor, decimals },
    pressure: { ...kind.pressure, ...defined(entry.limits ?? {}) },
    timeouts: { ...DEFAULT_TIMEOUTS, ...defined(entry.timeouts ?? {}) },
    callbackToken,
    callbackUrl:
      base === undefined || callbackToken === null
        ? null
        : `${base}/callbacks/${name}/${callbackToken}`,
    pace,
    settings,
  };
}

function defined<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as ReturnType<typeof defined<T>>;
}

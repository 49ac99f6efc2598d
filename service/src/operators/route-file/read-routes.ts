import { Check } from 'typebox/value';
import { AMOUNT_MAX_MINOR, AMOUNT_MIN_MINOR } from '../../domain/money.ts';
import { type AmountBounds, REFERENCE_MEMORY_MS } from '../contract/connector.ts';
import type { ConnectorKind, OperatorLimits, Timeouts } from '../contract/connector-kind.ts';
import type { FloatRule } from '../contract/float-rule.ts';
import { describeMistakes } from './describe-mistakes.ts';
import { fillFromEnvironment } from './fill-from-environment.ts';
import { findMistakes } from './find-mistakes.ts';
import { boundsOf, DEFAULT_TIMEOUTS, floatOf, type RouteEntry, RouteFile } from './route-entry.ts';

const HOUR_MS = 60 * 60_000;

/** A configured route, with all variables and defaults filled in. */
export type RouteConfig = Readonly<{
  name: string;
  kind: ConnectorKind;
  operator: RouteEntry['operator'];
  country: RouteEntry['country'];
  priority: number;
  bounds: AmountBounds;
  operatorLimits: OperatorLimits;
  timeouts: Timeouts;
  /** How long the operator is assumed to recognise a reference. */
  referenceMemoryMs: number;
  /** Null: callbacks of this route are not accepted. */
  callbackToken: string | null;
  /** The URL that the operator gets; null if there is no token or no address. */
  callbackUrl: string | null;
  timeScale: number;
  float: FloatRule;
  settings: Record<string, unknown>;
}>;

export type RoutesRead = Readonly<{ configs: readonly RouteConfig[]; problems: readonly string[] }>;

type Given = Readonly<{
  text: string;
  env: Readonly<Record<string, string | undefined>>;
  kinds: readonly ConnectorKind[];
}>;

/** Reads a route file: returns its routes, or everything that is wrong with it at once. */
export function readRoutes({ text, env, kinds }: Given): RoutesRead {
  const json = parseJson(text);
  if (json === undefined) return refuse(['the file: is not JSON.']);
  const { value, fromEnvironment, problems } = fillFromEnvironment(json, env);
  const mistakes = [
    ...describeMistakes(RouteFile, value, ''),
    ...findMistakes(entriesOf(value), { kinds, fromEnvironment }),
  ];
  // A value that is empty because its variable is not set is reported only once.
  const slots = new Set(problems.map(placeOf));
  const found = [...problems, ...mistakes.filter((line) => !slots.has(placeOf(line)))];
  if (found.length > 0 || !Check(RouteFile, value)) return refuse(found);
  const configs = value.routes.flatMap((entry) => {
    const kind = kinds.find(({ name }) => name === entry.connector);
    return kind === undefined ? [] : [toConfig(entry, kind, value.callbackBaseUrl)];
  });
  return { configs, problems: [] };
}

function placeOf(problem: string): string {
  return problem.slice(0, problem.indexOf(':'));
}

/** What stands in the place of the routes; not checked yet. */
function entriesOf(file: unknown): readonly unknown[] {
  const isObject = typeof file === 'object' && file !== null && 'routes' in file;
  return isObject && Array.isArray(file.routes) ? file.routes : [];
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

function toConfig(
  entry: RouteEntry,
  kind: ConnectorKind,
  callbackBaseUrl: string | undefined,
): RouteConfig {
  const { name, operator, country, priority = 1, timeScale = 1, settings } = entry;
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
    operatorLimits: { ...kind.operatorLimits, ...defined(entry.limits ?? {}) },
    timeouts: { ...DEFAULT_TIMEOUTS, ...defined(entry.timeouts ?? {}) },
    referenceMemoryMs:
      entry.referenceMemoryHours === undefined
        ? REFERENCE_MEMORY_MS
        : entry.referenceMemoryHours * HOUR_MS,
    callbackToken,
    callbackUrl:
      base === undefined || callbackToken === null
        ? null
        : `${base}/callbacks/${name}/${callbackToken}`,
    timeScale,
    float: floatOf(entry),
    settings,
  };
}

function defined<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as ReturnType<typeof defined<T>>;
}

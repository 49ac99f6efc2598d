import { Check } from 'typebox/value';
import type { ConnectorKind } from '../contract/connector-kind.ts';
import { isOnThisMachine } from '../wire/base-url.ts';
import { describeMistakes } from './describe-mistakes.ts';
import { boundsOf, RouteEntry } from './route-entry.ts';

type Known = Readonly<{
  kinds: readonly ConnectorKind[];
  /** The places whose text came from the environment. */
  fromEnvironment: ReadonlySet<string>;
}>;

/**
 * Finds what is wrong with entries beyond their schema: all at once, each with its place. An entry that does not match
 * its schema is skipped here, because that is reported already.
 */
export function findMistakes(entries: readonly unknown[], known: Known): readonly string[] {
  const names: unknown[] = [];
  return entries.flatMap((entry, index) => {
    if (!Check(RouteEntry, entry)) return [];
    const place = `routes.${index}`;
    const repeated = names.includes(entry.name)
      ? [`${place}.name: ${entry.name} is already the name of another route.`]
      : [];
    names.push(entry.name);
    const kind = known.kinds.find(({ name }) => name === entry.connector);
    return [...repeated, ...findInEntry(entry, { ...known, place, kind })];
  });
}

type Context = Known & Readonly<{ place: string; kind: ConnectorKind | undefined }>;

function findInEntry(entry: RouteEntry, context: Context): string[] {
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

/** A secret in a file ends up in a repository; only for an emulator on this machine that is harmless. */
function findOpenSecrets(entry: RouteEntry, { place, kind, fromEnvironment }: Context): string[] {
  const { baseUrl } = entry.settings;
  if (typeof baseUrl === 'string' && isOnThisMachine(baseUrl)) return [];
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

function findWrongBounds(entry: RouteEntry, place: string): string[] {
  const { minMinor, maxMinor } = boundsOf(entry);
  if (minMinor === undefined) return [`${place}.bounds.min: must be at least 0.01.`];
  if (maxMinor === undefined) return [`${place}.bounds.max: must be at most 1000000000.00.`];
  return minMinor <= maxMinor ? [] : [`${place}.bounds: min must not be above max.`];
}

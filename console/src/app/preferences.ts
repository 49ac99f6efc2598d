import { useSyncExternalStore } from 'react';
import { call } from '../api/call.ts';
import { isTimeZone } from '../format/format-time.ts';
import { oneAfterAnother } from './one-after-another.ts';

export type Theme = 'system' | 'light' | 'dark';
export type Density = 'normal' | 'compact';

export type Preferences = Readonly<{
  theme: Theme;
  density: Density;
  timeZone: string;
  singleKeys: boolean;
  /** The columns of each list that the reader has chosen. */
  columns: Readonly<Record<string, readonly string[]>>;
}>;

/** Kept in the browser too, so that the first paint already has the right theme. */
const STORED_AS = 'kafue-preferences';

const DEFAULTS: Preferences = {
  theme: 'system',
  density: 'normal',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
  singleKeys: true,
  columns: {},
};

/** Keeps the known fields of a stored object and drops the others: another version may have stored it. */
function readPreferences(stored: unknown): Preferences {
  if (typeof stored !== 'object' || stored === null) return DEFAULTS;
  const { theme, density, timeZone, singleKeys, columns } = stored as Record<string, unknown>;
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    density: density === 'compact' ? 'compact' : 'normal',
    timeZone: typeof timeZone === 'string' && isTimeZone(timeZone) ? timeZone : DEFAULTS.timeZone,
    singleKeys: singleKeys !== false,
    columns:
      typeof columns === 'object' && columns !== null ? (columns as Preferences['columns']) : {},
  };
}

function readStored(): Preferences {
  try {
    return readPreferences(JSON.parse(localStorage.getItem(STORED_AS) ?? 'null'));
  } catch {
    return DEFAULTS;
  }
}

let current: Preferences = DEFAULTS;
const listeners = new Set<() => void>();

function apply(next: Preferences): void {
  current = next;
  const root = document.documentElement;
  if (next.theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = next.theme;
  root.dataset['density'] = next.density;
  for (const listener of listeners) listener();
}

/** Before the first paint. */
export function startPreferences(): void {
  apply(readStored());
}

/** Choices are saved one after the other: if two overtook each other, the older one would stay. */
const inTurn = oneAfterAnother();
let changes = 0;

/**
 * What the person keeps with the service wins over what this browser remembers, but not over a choice that was made
 * while it was asked for.
 */
export async function loadPreferences(): Promise<void> {
  const before = changes;
  // After what is being stored, but not in turn itself: a slow answer would hold back the next choice.
  await inTurn(async () => undefined);
  const stored = await call<unknown>({ path: '/session/preferences' });
  if (changes === before) keepHere(readPreferences(stored));
}

export async function changePreferences(change: Partial<Preferences>): Promise<void> {
  changes += 1;
  keepHere({ ...current, ...change });
  await inTurn(() => call({ method: 'PUT', path: '/session/preferences', body: current }));
}

function keepHere(next: Preferences): void {
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(next));
  } catch {
    // A browser that keeps nothing still shows the choice until the page is closed.
  }
  apply(next);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, () => current);
}

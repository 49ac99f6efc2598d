import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import type { BenchResult } from './bench-result.ts';
import type { Machine } from './describe-machine.ts';
import { roundRatio } from './format.ts';

/** The kept figures of a scenario; null if it was not measured. CPU in microseconds for one transfer or answer. */
export type Figures = Readonly<{
  perSecond: number;
  serverUs: number | null;
  postgresUs: number | null;
}>;

/** One run as bench/history/ keeps it: on what it was measured, its ratios and its microseconds. */
export type Past = Readonly<{
  version: string;
  /** The day, such as 2026-11-16. */
  day: string;
  machine: Machine;
  ratios: Readonly<Record<string, number>>;
  scenarios: Readonly<Record<string, Figures>>;
}>;

export function toPast(
  { machine, ratios, scenarios }: Pick<BenchResult, 'machine' | 'ratios' | 'scenarios'>,
  { version, at }: Readonly<{ version: string; at: Date }>,
): Past {
  const figures = [...scenarios].map(
    ([name, { perSecond, serverUs, postgresUs }]): [string, Figures] => [
      name,
      { perSecond, serverUs, postgresUs },
    ],
  );
  return {
    version,
    day: at.toISOString().slice(0, 10),
    machine,
    ratios: Object.fromEntries(ratios.map(({ key, value }) => [key, roundRatio(value)])),
    scenarios: Object.fromEntries(figures),
  };
}

/** The kind of a machine: figures in microseconds can be compared only within one. */
export function machineKind({ platform, cpu, cores }: Machine): string {
  return [platform, cpu, `${cores} cores`]
    .map((part) => part.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'))
    .map((part) => part.replaceAll(/^-|-$/g, ''))
    .join('-');
}

/** One file for each kind of machine and version: a second run of both replaces the first. */
export function historyName({ machine, version }: Past): string {
  return `${machineKind(machine)}-${version}.json`;
}

const HISTORY = new URL('../history/', import.meta.url);

/** Returns the file. */
export async function keepPast(past: Past): Promise<string> {
  const file = new URL(historyName(past), HISTORY);
  await mkdir(HISTORY, { recursive: true });
  await writeFile(file, `${JSON.stringify(past, null, 2)}\n`);
  return file.pathname;
}

export class NoHistory extends Error {}

export function readPast(file: string): Past {
  const value = readJson(file);
  if (isPast(value)) return value;
  throw new NoHistory(`${file} holds no run of the bench: give a file of bench/history.`);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NoHistory(`${file} cannot be read: ${reason}`);
  }
}

function isPast(value: unknown): value is Past {
  if (typeof value !== 'object' || value === null) return false;
  return ['machine', 'ratios', 'scenarios'].every((name) => {
    const part: unknown = Reflect.get(value, name);
    return typeof part === 'object' && part !== null;
  });
}

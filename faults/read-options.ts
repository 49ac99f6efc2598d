import { parseArgs } from 'node:util';
import { SEED_MAX } from './plan/make-plan.ts';

const SEEDS_DEFAULT = 8;
const SEEDS_MAX = 1_000_000;
const AT_ONCE_MAX = 32;
const CELLS_MAX = 16;
const MINUTES_MAX = 100_000;

const SCHEDULES_MAX = 1_000_000_000;
const MUTATIONS_MAX = 10_000;

export const USAGE = `Usage: npm run faults -- [--seeds N | --minutes N] [--seed S] [--json] [--keep]
       npm run faults -- --planted [--bug WORDS] [--at-once N] [--json]
       npm run faults -- --simulate N [--seed S] [--json]
       npm run faults -- --mutate N [--seed S] [--json]

  --seeds N     run N seeds (${SEEDS_DEFAULT}, about three minutes)
  --minutes N   start new seeds for N minutes
  --seed S      start with this seed; alone: run only this one
  --json        print only the result, as JSON, on standard output
  --keep        keep the journals, logs and dump of every run, not only of those with violations
  --at-once N   run N seeds, or look for N planted bugs, at the same time (1)
  --cells N     spread the merchants over N cells (1)
  --planted     plant bugs in copies of the tree, and check that each is caught
  --bug WORDS   plant only bugs with these words in their names
  --simulate N  run N schedules of the simulated core instead
  --mutate N    make N small random changes in copies of the tree, one at a time, and report which are found
  --help        show this`;

export class BadUsage extends Error {}

export type Options = Readonly<{
  /** Undefined: any. */
  firstSeed: number | undefined;
  seedsMax: number;
  /** Undefined: no limit. */
  minutes: number | undefined;
  json: boolean;
  keep: boolean;
  atOnce: number;
  cells: number;
  what: 'seeds' | 'planted' | 'simulation' | 'mutations';
  /** Words in the names of the bugs to plant; empty: all. */
  bug: string;
  schedules: number;
  mutations: number;
  help: boolean;
}>;

export function readOptions(args: readonly string[]): Options {
  const values = parseStrictly(args);
  if (values.seeds !== undefined && values.minutes !== undefined) {
    throw new BadUsage('Give --seeds or --minutes, not both.');
  }
  const firstSeed = readNumber('--seed', values.seed, { min: 0, max: SEED_MAX });
  const seeds = readNumber('--seeds', values.seeds, { min: 1, max: SEEDS_MAX });
  const minutes = readNumber('--minutes', values.minutes, { min: 1, max: MINUTES_MAX });
  const few = firstSeed === undefined ? SEEDS_DEFAULT : 1;
  return {
    firstSeed,
    seedsMax: seeds ?? (minutes === undefined ? few : SEEDS_MAX),
    minutes,
    json: values.json ?? false,
    keep: values.keep ?? false,
    atOnce: readNumber('--at-once', values['at-once'], { min: 1, max: AT_ONCE_MAX }) ?? 1,
    cells: readNumber('--cells', values.cells, { min: 1, max: CELLS_MAX }) ?? 1,
    what: whatOf(values),
    bug: values.bug ?? '',
    schedules:
      readNumber('--simulate', values.simulate, { min: 1, max: SCHEDULES_MAX }) ?? SCHEDULES_MAX,
    mutations: readNumber('--mutate', values.mutate, { min: 1, max: MUTATIONS_MAX }) ?? 0,
    help: values.help ?? false,
  };
}

function whatOf(values: ReturnType<typeof parseStrictly>): Options['what'] {
  const given = [values.planted, values.simulate, values.mutate].filter(
    (value) => value !== undefined,
  );
  if (given.length > 1) throw new BadUsage('Give one of --planted, --simulate and --mutate.');
  if (values.planted === true) return 'planted';
  if (values.mutate !== undefined) return 'mutations';
  return values.simulate === undefined ? 'seeds' : 'simulation';
}

function readNumber(
  name: string,
  text: string | undefined,
  bounds: Readonly<{ min: number; max: number }>,
): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= bounds.min && value <= bounds.max) return value;
  throw new BadUsage(`${name} must be a whole number from ${bounds.min} to ${bounds.max}.`);
}

function parseStrictly(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        seeds: { type: 'string' },
        minutes: { type: 'string' },
        seed: { type: 'string' },
        json: { type: 'boolean' },
        keep: { type: 'boolean' },
        'at-once': { type: 'string' },
        cells: { type: 'string' },
        planted: { type: 'boolean' },
        bug: { type: 'string' },
        simulate: { type: 'string' },
        mutate: { type: 'string' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new BadUsage(error instanceof Error ? error.message : String(error));
  }
}

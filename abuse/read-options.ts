import { parseArgs } from 'node:util';
import type { Attack } from './attacks/attack.ts';
import { ATTACKS } from './attacks/attacks.ts';

const SEED_MAX = 2 ** 31;

export const USAGE = `Usage: npm run abuse -- [--only 1,2b] [--seed S] [--short] [--tree DIR] [--json]
       npm run abuse -- --planted [--only WORDS] [--seed S] [--json]

Attack a service of its own, while a merchant pays 20 people a second, and show what the merchant noticed.

  --only LIST    run only these attacks: a number for all of its kind, or one with its letter
  --seed S       draw sizes, addresses and malformed requests from this seed (random)
  --short        use the small sizes that npm test uses
  --tree DIR     start the service of another checkout
  --json         print one JSON document, and nothing else, on standard output
  --planted      take out each bound of the service in turn, and see that an attack or a test goes red;
                 with --only WORDS, bounds with these words in their names
  --help         show this

Attacks:
${ATTACKS.map(({ id, title }) => `  ${id.padEnd(4)} ${title}`).join('\n')}`;

export class BadUsage extends Error {}

export type Options = Readonly<{
  attacks: readonly Attack[];
  /** Undefined: random. */
  seed: number | undefined;
  form: 'short' | 'long';
  /** Undefined: this checkout. */
  tree: string | undefined;
  json: boolean;
  planted: boolean;
  /** A part of the names of the bounds to remove. */
  bound: string;
  help: boolean;
}>;

export function readOptions(args: readonly string[]): Options {
  const values = parseStrictly(args);
  const planted = values.planted ?? false;
  return {
    attacks: chooseAttacks(planted ? undefined : values.only),
    seed: readSeed(values.seed),
    form: values.short === true ? 'short' : 'long',
    tree: values.tree,
    json: values.json ?? false,
    planted,
    bound: planted ? (values.only ?? '') : '',
    help: values.help ?? false,
  };
}

function chooseAttacks(list: string | undefined): readonly Attack[] {
  if (list === undefined) return ATTACKS;
  const names = list.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !ATTACKS.some((attack) => isNamed(attack, name)));
  if (unknown.length > 0) throw new BadUsage(`--only: there is no attack ${unknown.join(', ')}.`);
  return ATTACKS.filter((attack) => names.some((name) => isNamed(attack, name)));
}

function isNamed({ id }: Attack, name: string): boolean {
  return id === name || Number.parseInt(id, 10).toString() === name;
}

function readSeed(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seed = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (seed <= SEED_MAX) return seed;
  throw new BadUsage(`--seed must be a whole number from 0 to ${SEED_MAX}.`);
}

function parseStrictly(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string' },
        seed: { type: 'string' },
        short: { type: 'boolean' },
        tree: { type: 'string' },
        json: { type: 'boolean' },
        planted: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new BadUsage(error instanceof Error ? error.message : String(error));
  }
}

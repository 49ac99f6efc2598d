import { parseArgs } from 'node:util';
import type { Scenario } from './scenario.ts';
import { SCENARIOS } from './scenarios/list-scenarios.ts';

const SECONDS_DEFAULT = 2;
const SECONDS_MAX = 600;

export const USAGE = `Usage: npm run bench -- [--json] [--only NAME]… [--seconds N]
                       [--against FILE] [--keep]

  --json          print the result as JSON, and nothing else, on standard output
  --only NAME     measure only this scenario; may be given several times
                  (${SCENARIOS.map(({ name }) => name).join(', ')})
  --seconds N     measure that long in each turn (${SECONDS_DEFAULT})
  --against FILE  name what became slower by more than 10 % since this run of bench/history
  --keep          store the result in bench/history, as the run of this kind of machine and version
  --help          show this`;

export type Options = Readonly<{
  json: boolean;
  scenarios: readonly Scenario[];
  seconds: number;
  /** A file of bench/history to compare with. */
  against: string | undefined;
  keep: boolean;
  help: boolean;
}>;

export class BadUsage extends Error {}

export function readOptions(args: readonly string[]): Options {
  const { values } = parseStrictly(args);
  const only = values.only ?? [];
  for (const name of only) {
    if (!SCENARIOS.some((scenario) => scenario.name === name)) {
      throw new BadUsage(`There is no scenario called "${name}".`);
    }
  }
  const seconds = Number(values.seconds ?? SECONDS_DEFAULT);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > SECONDS_MAX) {
    throw new BadUsage(`--seconds must be a whole number from 1 to ${SECONDS_MAX}.`);
  }
  return {
    json: values.json ?? false,
    scenarios: SCENARIOS.filter(({ name }) => only.length === 0 || only.includes(name)),
    seconds,
    against: values.against,
    keep: values.keep ?? false,
    help: values.help ?? false,
  };
}

function parseStrictly(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean' },
        only: { type: 'string', multiple: true },
        seconds: { type: 'string' },
        against: { type: 'string' },
        keep: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new BadUsage(error instanceof Error ? error.message : String(error));
  }
}

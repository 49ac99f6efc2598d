import { VARIABLES } from './variables.ts';

/** Names up to this length differ too little from words of others, such as HOST from POST. */
const SHORT_LENGTH_MAX = 4;
/** From this length on two slips are still the same word. */
const LONG_LENGTH_MIN = 8;
const SLIPS_MAX = 2;
/** The plural of a name is the name with another end. */
const PLURAL = /(?:IES|Y|S)$/;

export type Misspelt = Readonly<{ name: string; meant: string }>;

/**
 * Variables that look like ours and are not: a program whose DATABASE_URL is misspelt would work with another
 * database and say nothing.
 */
export function findMisspelt(env: Readonly<Record<string, string | undefined>>): Misspelt[] {
  const names = Object.keys(env).filter((name) => env[name] !== undefined && env[name] !== '');
  return names.flatMap((name) => {
    if (VARIABLES.includes(name)) return [];
    const meant = VARIABLES.find((known) => !names.includes(known) && isSlip(name, known));
    return meant === undefined ? [] : [{ name, meant }];
  });
}

function isSlip(name: string, known: string): boolean {
  const upper = name.toUpperCase();
  if (upper === known || upper.replace(PLURAL, '') === known.replace(PLURAL, '')) return true;
  // A short one has to have the same letters, in another order.
  if (known.length <= SHORT_LENGTH_MAX) {
    return upper.length === known.length && sorted(upper) === sorted(known);
  }
  return countSlips(upper, known) <= (known.length < LONG_LENGTH_MIN ? 1 : SLIPS_MAX);
}

function sorted(text: string): string {
  return text
    .split('')
    .toSorted((a, b) => a.localeCompare(b))
    .join('');
}

/** Letters left out, added, changed or swapped with their neighbour (optimal string alignment). */
function countSlips(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > SLIPS_MAX) return SLIPS_MAX + 1;
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwap =
        row > 1 &&
        column > 1 &&
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1];
      current.push(
        Math.min(
          at(previous, column) + 1,
          at(current, column - 1) + 1,
          at(previous, column - 1) + (isSame ? 0 : 1),
          isSwap ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = previous;
    previous = current;
  }
  return at(previous, right.length);
}

const at = (costs: readonly number[], index: number): number =>
  costs[index] ?? Number.POSITIVE_INFINITY;

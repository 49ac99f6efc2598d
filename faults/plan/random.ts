import { createHash } from 'node:crypto';

const UINT32_RANGE = 2 ** 32;
const PER_MILLE = 1_000;
const WARM_UP_ROUNDS = 12;

export type Random = Readonly<{
  /** An integer from `min` to `max`, both included. */
  between(min: number, max: number): number;
  /** True in so many of 1,000 cases. */
  chance(perMille: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
}>;

/**
 * A deterministic random generator (sfc32). Each purpose has its own stream, so that a new draw in one
 * place does not change decisions elsewhere.
 */
export function createRandom(seed: number, purpose: string): Random {
  const next = createGenerator(createHash('sha256').update(`${seed}/${purpose}`).digest());
  const between = (min: number, max: number) =>
    min + Math.floor((next() / UINT32_RANGE) * (max - min + 1));
  return {
    between,
    chance: (perMille) => between(0, PER_MILLE - 1) < perMille,
    pick: (choices) => {
      const [first, ...others] = choices;
      const index = between(0, others.length);
      // A choice may be null.
      return index === 0 ? first : (others[index - 1] as typeof first);
    },
  };
}

function createGenerator(start: Buffer): () => number {
  let a = start.readUInt32LE(0) | 0;
  let b = start.readUInt32LE(4) | 0;
  let c = start.readUInt32LE(8) | 0;
  let counter = 1;
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) next();
  return next;
}

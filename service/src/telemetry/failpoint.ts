import { createHash } from 'node:crypto';

/** The named points at which a test of crashes may end the process. */
export const FAILPOINTS = [
  'after-parse',
  'before-store-commit',
  'after-store-commit',
  'before-answer',
  'claimed',
  'before-submit',
  'after-submit',
  'before-outcome-commit',
  'after-outcome-commit',
  'webhook-posted',
  'callback-stored',
] as const;
type FailpointName = (typeof FAILPOINTS)[number];

const DRAW_BYTES = 6;
const DRAW_RANGE = 2 ** (8 * DRAW_BYTES);

/**
 * A hook for tests of crashes: does nothing, unless FAILPOINTS is set as `name:kill:probability,…;seed`
 * when the process starts. Then a point ends the process with SIGKILL, as often as its probability says,
 * by numbers that follow from the seed.
 */
export const failpoint: (name: FailpointName) => void = arm(process.env.FAILPOINTS);

function arm(text: string | undefined): (name: FailpointName) => void {
  if (text === undefined || text === '') return () => undefined;
  const [points = '', seed = ''] = text.split(';');
  const probabilities = new Map(points.split(',').map(readPoint));
  let visits = 0;
  return (name) => {
    const probability = probabilities.get(name) ?? 0;
    visits += 1;
    if (probability > 0 && draw(`${seed}/${name}/${visits}`) < probability) {
      process.kill(process.pid, 'SIGKILL');
    }
  };
}

function readPoint(point: string): readonly [FailpointName, number] {
  const [given, action, probability] = point.split(':');
  const name = FAILPOINTS.find((known) => known === given);
  if (name === undefined || action !== 'kill' || !(Number(probability) >= 0)) {
    throw new Error(`FAILPOINTS must look like before-submit:kill:0.01,claimed:kill:0.05;7`);
  }
  return [name, Number(probability)];
}

/** From 0 up to, but not including, 1; the same for the same text. */
function draw(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, DRAW_BYTES) / DRAW_RANGE;
}

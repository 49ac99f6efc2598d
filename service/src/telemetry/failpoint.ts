import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';

/** The named points of the service at which a crash test may kill or stop the process. */
export const SERVICE_FAILPOINTS = [
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
  'screener-answered',
  'callback-stored',
  'file-claimed',
  'file-rows-taken',
  'file-rows-paid',
  'file-rows-recorded',
  'file-ending',
  'decision-committed',
] as const;
/** The same of the command that moves a merchant. */
const MOVE_FAILPOINTS = [
  'move-began',
  'move-closing',
  'move-closed',
  'move-copying',
  'move-copied',
  'move-verified',
  'move-switched',
  'move-opened',
  'move-leaving',
  'move-left',
  'move-undoing',
  'move-uncopied',
  'move-reopened',
  'move-forgetting',
  'move-forgotten',
] as const;
type FailpointName = (typeof SERVICE_FAILPOINTS | typeof MOVE_FAILPOINTS)[number];

/** What can happen there: the process is killed, or stopped until the test continues it. */
const SIGNALS: ReadonlyMap<string, NodeJS.Signals> = new Map([
  ['kill', 'SIGKILL'],
  ['pause', 'SIGSTOP'],
]);
type Point = Readonly<{ signal: NodeJS.Signals; probability: number }>;

const DRAW_BYTES = 6;
const DRAW_RANGE = 2 ** (8 * DRAW_BYTES);

/**
 * A hook for crash tests. It does nothing unless FAILPOINTS is set as `name:kill:probability,…;seed` when the process
 * starts. Then a point kills the process with SIGKILL, or with `pause` stops it with SIGSTOP, with the given
 * probability, by pseudo-random numbers that follow from the seed.
 */
export const failpoint: (name: FailpointName) => void = arm(process.env.FAILPOINTS);

function arm(text: string | undefined): (name: FailpointName) => void {
  if (text === undefined || text === '') return () => undefined;
  const [points = '', seed = ''] = text.split(';');
  const armed = new Map(points.split(',').map(readPoint));
  let visits = 0;
  return (name) => {
    const point = armed.get(name);
    visits += 1;
    if (point !== undefined && draw(`${seed}/${name}/${visits}`) < point.probability) {
      // Written before the process dies, so that a test of crashes can count where processes died.
      writeSync(process.stderr.fd, `failpoint ${name} ${point.signal}\n`);
      process.kill(process.pid, point.signal);
    }
  };
}

function readPoint(text: string): readonly [FailpointName, Point] {
  const [given, action = '', probability] = text.split(':');
  const name = [...SERVICE_FAILPOINTS, ...MOVE_FAILPOINTS].find((known) => known === given);
  const signal = SIGNALS.get(action);
  if (name === undefined || signal === undefined || !(Number(probability) >= 0)) {
    throw new Error(`FAILPOINTS must look like before-submit:kill:0.01,claimed:pause:0.05;7`);
  }
  return [name, { signal, probability: Number(probability) }];
}

/** From 0 up to, but not including, 1; the same for the same text. */
function draw(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, DRAW_BYTES) / DRAW_RANGE;
}

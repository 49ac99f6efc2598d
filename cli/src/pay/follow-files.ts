import { type Kafue, KafueError, type PayoutFile } from '../../../sdk/src/index.ts';
import type { CliProcess } from '../cli-process.ts';
import { createProgress } from '../progress.ts';
import { listNonZero } from './render-summary.ts';

const LOOK_INTERVAL_MS = 1_000;

export type FollowDeps = Pick<CliProcess, 'writeError' | 'isTerminal' | 'now' | 'pause' | 'stop'> &
  Readonly<{ kafue: Kafue }>;

export type Followed = Readonly<{
  files: readonly PayoutFile[];
  endedBy: KafueError | undefined;
}>;

/**
 * Reads submitted files until every row is a transfer or refused, or with `toTheEnd` until every transfer has ended or
 * is in doubt. Does not wait for a file that waits for approval or for its time.
 */
export async function followFiles(
  deps: FollowDeps,
  submitted: readonly PayoutFile[],
  { deadlineMs, toTheEnd }: Readonly<{ deadlineMs: number; toTheEnd: boolean }>,
): Promise<Followed> {
  const files = [...submitted];
  const total = files.reduce((sum, { counts }) => sum + counts.rows - counts.dropped, 0);
  const isTerminal = deps.isTerminal.error;
  const progress = createProgress(deps.writeError, { verb: 'Sent', total, isTerminal });
  try {
    for (;;) {
      const counts = sumCounts(files);
      progress.show(counts.done, counts.text);
      const open = [...files.keys()].filter((index) => !isOver(files[index], toTheEnd));
      if (open.length === 0 || deps.stop.aborted || deps.now() > deadlineMs) break;
      await deps.pause(LOOK_INTERVAL_MS, deps.stop);
      for (const index of open) {
        const file = files[index];
        if (file !== undefined) files[index] = await deps.kafue.payoutFiles.get(file.id);
      }
    }
    return { files, endedBy: undefined };
  } catch (error) {
    if (!(error instanceof KafueError)) throw error;
    return { files, endedBy: error };
  } finally {
    progress.end();
  }
}

function isOver(file: PayoutFile | undefined, toTheEnd: boolean): boolean {
  if (file === undefined || file.state !== 'paying') return true;
  const { created, refused, rows, dropped } = file.counts;
  return !toTheEnd && created + refused === rows - dropped;
}

function sumCounts(files: readonly PayoutFile[]): Readonly<{ done: number; text: string }> {
  const sum = (name: keyof PayoutFile['counts']): number =>
    files.reduce((total, { counts }) => total + counts[name], 0);
  const [created, refused] = [sum('created'), sum('refused')];
  const [succeeded, failed, cancelled] = [sum('succeeded'), sum('failed'), sum('cancelled')];
  const pending = created - succeeded - failed - cancelled;
  return {
    done: created + refused,
    text: listNonZero([
      [succeeded, 'successful'],
      [failed, 'failed'],
      [cancelled, 'cancelled'],
      [refused, 'refused'],
      [pending, 'pending'],
    ]),
  };
}

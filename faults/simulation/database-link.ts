import type { ProcessRunner } from './process-life.ts';
import type { Life, ScheduleContext } from './schedule-context.ts';
import { isWithin } from './windows.ts';

/** The service drops a connection without an answer after this time, without cancelling its statement. */
const DEADLINE_MS = 20_000;
const SLOW_ANSWER_MAX_MS = 19_000;
const LATE_COMMIT_MAX_MS = 40_000;

/** No answer from the database: the process cannot know whether it committed. */
class NoAnswer extends Error {}

const FATES = ['answer lost', 'never arrived', 'answered slowly', 'committed late'] as const;
type CommitFate = 'answered' | (typeof FATES)[number];

/** A process's connections to the database, with all possible faults of a commit. */
export type DatabaseLink = Readonly<{
  /** `isSure`: the commit has no fault. */
  commit<T>(apply: () => T, options?: Readonly<{ isSure: boolean }>): Promise<T>;
}>;

export function createDatabaseLink(
  context: ScheduleContext,
  processRunner: ProcessRunner,
  life: Life,
): DatabaseLink {
  const { eventQueue, random, plan, trace } = context;

  function drawFate(isSure: boolean): CommitFate {
    const down = isWithin(plan.databaseOutages, eventQueue.nowMs());
    const fails = down ? random.chance(900) : random.chance(plan.lostCommitsPerMille);
    if (context.isHealed() || !fails) return 'answered';
    return isSure ? 'never arrived' : random.pick(FATES);
  }

  return {
    commit<T>(apply: () => T, { isSure } = { isSure: false }): Promise<T> {
      return new Promise((resolve, reject) => {
        const fate = drawFate(isSure);
        if (fate !== 'answered') trace.note(life.owner, `commit: ${fate}`);
        const goMs = random.between(0, fate === 'committed late' ? LATE_COMMIT_MAX_MS : 3);
        const backMs = random.between(0, fate === 'answered slowly' ? SLOW_ANSWER_MAX_MS : 3);
        const arrive = (): void => {
          let answer: () => void;
          try {
            const result = apply();
            answer = () => resolve(result);
          } catch (error) {
            answer = () => reject(error);
          }
          const isHeard = fate === 'answered' || fate === 'answered slowly';
          if (isHeard) processRunner.deliverAfter(life, backMs, answer);
        };
        if (fate !== 'never arrived') eventQueue.after(goMs, arrive);
        if (fate === 'answered' || fate === 'answered slowly') return;
        const giveUpMs = fate === 'committed late' ? DEADLINE_MS : random.between(1, 5_000);
        processRunner.deliverAfter(
          life,
          Math.max(giveUpMs, fate === 'answer lost' ? goMs : 0),
          () => reject(new NoAnswer(fate)),
        );
      });
    },
  };
}

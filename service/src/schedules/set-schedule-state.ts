import type { ActKind } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Actor } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import { refuse } from '../domain/refusal.ts';
import { readHolidayCalendar } from '../holidays/list-holidays.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { ENDED } from './change-schedule.ts';
import { choosePeriod } from './choose-period.ts';
import type { ScheduleDeps } from './create-schedule.ts';
import { lockSchedule } from './find-schedule.ts';
import type { Schedule, ScheduleState } from './schedule.ts';
import { SCHEDULE_COLUMNS, type ScheduleRecord, toSchedule } from './schedule-row.ts';

/** What people do to a schedule as a whole. */
export const SCHEDULE_STEPS = ['pause', 'resume', 'end'] as const;
export type ScheduleStep = (typeof SCHEDULE_STEPS)[number];

const STEPS: Readonly<Record<ScheduleStep, Readonly<{ to: ScheduleState; kind: ActKind }>>> = {
  pause: { to: 'paused', kind: 'SCHEDULE_PAUSED' },
  resume: { to: 'active', kind: 'SCHEDULE_RESUMED' },
  end: { to: 'ended', kind: 'SCHEDULE_ENDED' },
};

type Request = Readonly<{ book: Book; actor: Actor; id: string; step: ScheduleStep }>;

/**
 * Pauses, resumes or ends a schedule. What would have been paid while it was paused is not paid after it: a person who
 * resumes in December does not mean November's salaries. Doing what is done already changes nothing.
 */
export async function setScheduleState(
  deps: ScheduleDeps,
  { book, actor, id, step }: Request,
): Promise<Schedule> {
  const { to, kind } = STEPS[step];
  return actAs(deps, actor, async (tx) => {
    const before = await lockSchedule(tx, { bookId: book.id, id });
    if (before.state === to) return before;
    if (before.state === 'ended') throw refuse('INVALID_STATE', { message: ENDED });
    const next = to === 'active' ? await chooseNext(tx, before) : { ...before, nextAt: null };
    const values = [book.id, id, to, next.nextPeriod, next.nextAt, deps.now()];
    const [stored] = await tx.query<ScheduleRecord>(UPDATE, values);
    if (stored === undefined) throw new Error('a locked schedule is gone');
    await recordAct(tx, deps, {
      actor,
      kind,
      subject: id,
      merchantId: book.merchantId,
      bookId: book.id,
      reason: null,
      before: { name: before.name, state: before.state },
      after: { name: before.name, state: to },
    });
    return toSchedule(stored);
  });
}

async function chooseNext(tx: Queryable, schedule: Schedule) {
  return choosePeriod(tx, schedule, await readHolidayCalendar(tx, schedule.country));
}

// A resumed schedule keeps the number of its holidays: if they changed since, it is only looked at once more.
const UPDATE: Statement = {
  name: '',
  text: `
    update schedules s set
      state = $3, next_period = $4, next_at = $5, updated_at = $6,
      ended_at = case when $3 = 'ended' then $6::timestamptz end
    where s.book_id = $1 and s.id = $2
    returning ${SCHEDULE_COLUMNS}`,
};

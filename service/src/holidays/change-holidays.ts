import type { ActDeps, ActFacts, ActKind } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import { fieldProblem } from '../domain/field-problem.ts';
import type { Country } from '../domain/operator.ts';
import { refuse } from '../domain/refusal.ts';
import type { Day } from '../domain/zone.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import type { Holiday } from './holiday.ts';

export type HolidayDeps = ActDeps & Readonly<{ directory: Database }>;
type HolidayOrder = Readonly<{ country: Country; day: Day; name: string; source: string }>;

/** Enters a holiday. Schedules move their next time with it. */
export async function enterHoliday(
  deps: HolidayDeps,
  { actor, holiday }: Readonly<{ actor: PersonActor; holiday: HolidayOrder }>,
): Promise<Holiday> {
  const { country, day, name, source } = holiday;
  const enteredAt = deps.now();
  return actAs({ database: deps.directory }, actor, async (tx) => {
    await tx.query(COUNT_UP, [country]);
    const values = [country, day, name, source, actor.id, actor.name, enteredAt];
    const entered = await tx.query(INSERT, values);
    if (entered.length === 0) throw refuse('VALIDATION_ERROR', { fields: [TAKEN] });
    await record(tx, deps, {
      actor,
      kind: 'HOLIDAY_ENTERED',
      country,
      day,
      after: { name, source },
    });
    return { ...holiday, enteredBy: { id: actor.id, name: actor.name }, enteredAt };
  });
}

/** Removes a holiday: the country works on that day after all. */
export async function removeHoliday(
  deps: HolidayDeps,
  { actor, country, day }: Readonly<{ actor: PersonActor; country: Country; day: Day }>,
): Promise<void> {
  await actAs({ database: deps.directory }, actor, async (tx) => {
    await tx.query(COUNT_UP, [country]);
    const [removed] = await tx.query<{ name: string; source: string }>(DELETE, [country, day]);
    if (removed === undefined) throw refuse('NOT_FOUND', { message: NO_HOLIDAY });
    await record(tx, deps, { actor, kind: 'HOLIDAY_REMOVED', country, day, before: removed });
  });
}

const TAKEN = fieldProblem('day', 'TAKEN', 'This day is a holiday already. Remove that one first.');
const NO_HOLIDAY = 'This day is no holiday there. GET holidays lists the holidays.';

type Change = Readonly<{
  actor: PersonActor;
  kind: ActKind;
  country: Country;
  day: Day;
  before?: ActFacts;
  after?: ActFacts;
}>;

async function record(tx: Queryable, deps: ActDeps, change: Change): Promise<void> {
  const { actor, kind, country, day, before = null, after = null } = change;
  const subject = `${country} ${day}`;
  await recordAct(tx, deps, {
    actor,
    kind,
    subject,
    merchantId: null,
    reason: null,
    before,
    after,
  });
}

// Locks the country, so that two changes at once get two numbers.
const COUNT_UP: Statement = {
  name: '',
  text: 'update holiday_versions set version = version + 1 where country = $1',
};

const INSERT: Statement = {
  name: '',
  text: `
    insert into holidays (country, day, name, source, entered_by, entered_by_name, entered_at)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (country, day) do nothing
    returning day`,
};

const DELETE: Statement = {
  name: '',
  text: 'delete from holidays where country = $1 and day = $2 returning name, source',
};

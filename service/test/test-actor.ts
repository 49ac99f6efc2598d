import { type ActFilter, ANY_ACT, listActs, type RecordedAct } from '../src/acts/list-acts.ts';
import type { MachineActor } from '../src/domain/actor.ts';
import type { Queryable } from '../src/postgres/database.ts';

const ACTS_READ_MAX = 500;

/** Who acts in tests that are not about who acts. */
export const TEST_ACTOR: MachineActor = { kind: 'machine', user: 'tester', host: 'test.example' };

/** The acts that a test left in the directory and in its cell, newest first. */
export async function readActs(
  { database, directory }: Readonly<{ database: Queryable; directory: Queryable }>,
  filter: Partial<ActFilter> = {},
): Promise<readonly RecordedAct[]> {
  const request = { filter: { ...ANY_ACT, ...filter }, books: null };
  const { acts } = await listActs([directory, database], {
    ...request,
    page: { limit: ACTS_READ_MAX, before: null },
  });
  return acts;
}

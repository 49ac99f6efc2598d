import { after, before } from 'node:test';
import { explainRefusal } from '../src/admin/explain-refusal.ts';
import type { PersonActor } from '../src/domain/actor.ts';
import { AdminRefused } from '../src/domain/admin-refused.ts';
import type { Transfer } from '../src/domain/transfer.ts';
import { listProposals } from '../src/resolutions/proposal.ts';
import type { Resolution } from '../src/resolutions/propose-resolution.ts';
import { type ResolveResult, resolveByPeople } from '../src/resolutions/resolve-by-people.ts';
import { findAnyTransfer } from '../src/transfers/read/find-any-transfer.ts';
import { addTestAdministrators, newTestId } from './stored-doubt.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export const PAID: Resolution = { decision: 'paid', receipt: 'MP77', evidence: 'ticket 4711' };
export const NOT_PAID: Resolution = {
  decision: 'not_paid',
  receipt: null,
  evidence: 'statement of MTN',
};

export async function refusal(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => new Error('it was not refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof AdminRefused)) throw error;
  const { message, advice } = explainRefusal(error);
  return `${message} ${advice}`;
}

/** A database with three administrators who decide about transfers in doubt. */
export function openResolutionWorld() {
  let test: TestDatabase;
  let people: Readonly<Record<'Chanda' | 'Mutinta' | 'Bwalya', PersonActor>>;
  before(async () => {
    test = await createTestDatabase();
    people = await addTestAdministrators(test.database, ['Chanda', 'Mutinta', 'Bwalya']);
  });
  after(() => test.drop());

  const depsAt = (now: Date) => ({
    database: test.database,
    directory: test.directory,
    cells: test.cells,
    now: () => now,
    newId: newTestId,
    logger: { warn: () => undefined },
  });

  function say(
    who: keyof typeof people,
    id: string,
    resolution: Resolution,
    now = new Date(),
  ): Promise<ResolveResult> {
    return resolveByPeople(depsAt(now), { actor: people[who], id, resolution });
  }

  async function endsOf({ bookId, id }: Transfer): Promise<readonly (string | null)[]> {
    const proposals = await listProposals(test.database, { bookId, transferId: id, max: 100 });
    return proposals.map(({ end }) => end?.as ?? null);
  }

  async function stateOf({ id }: Transfer): Promise<string> {
    return (await findAnyTransfer(test.database, id)).transfer.state;
  }

  return {
    get database() {
      return test.database;
    },
    get test() {
      return test;
    },
    get people() {
      return people;
    },
    depsAt,
    say,
    endsOf,
    stateOf,
  };
}

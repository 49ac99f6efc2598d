import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ApprovalDecision } from '../src/approvals/approval.ts';
import { decideTransfer } from '../src/approvals/transfers/decide-transfer.ts';
import type { ApprovalRequirement } from '../src/domain/approval-requirement.ts';
import type { Book } from '../src/domain/book.ts';
import { Refusal } from '../src/domain/refusal.ts';
import type { MerchantRole } from '../src/domain/roles.ts';
import type { Transfer } from '../src/domain/transfer.ts';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import { removePerson } from '../src/people/change-roles.ts';
import type { Database } from '../src/postgres/database.ts';
import { findTransfer } from '../src/transfers/read/find-transfer.ts';
import { scriptRoute } from './fake-route.ts';
import { storeAwaiting } from './stored-awaiting.ts';
import { createTestBook, createTestWallet } from './test-book.ts';
import { cellsOf } from './test-database.ts';
import { storePerson, type TestPerson } from './test-person.ts';

/** The route by which approved transfers go. */
export const ROUTE_OF_TODAY = 'of-today';

export type Waiting = Awaited<ReturnType<typeof storeAwaiting>>;

export const asks = (rule: string, count: number, ...of: MerchantRole[]): ApprovalRequirement => ({
  rule,
  count,
  of,
});

/** What became of a call: 'done' or the code of its refusal. */
export async function resultOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

/** A book of its own with a wallet, people who decide in it, and what waits for them. */
export async function openApprovals(database: Database) {
  const book: Book = await createTestBook(database);
  const walletId = await createTestWallet(database, { bookId: book.id, fundedMinor: 100_000n });
  const { routes } = scriptRoute({ name: ROUTE_OF_TODAY });
  const deps = {
    database,
    directory: database,
    cells: cellsOf({ main: database }),
    routes,
    now: () => new Date(),
    newId: randomUUID,
    logger: { warn: () => undefined },
  };
  const actorOf = ({ id, name }: TestPerson) =>
    ({ kind: 'person', id, name, merchantId: book.merchantId }) as const;
  const run = (text: string, values: readonly unknown[] = []) =>
    database.query<Record<string, unknown>>({ name: '', text }, values);
  const personWith = (...roles: readonly MerchantRole[]): Promise<TestPerson> =>
    storePerson(database, {
      roles: roles.map((role) => ({ merchantId: book.merchantId, role })),
    });
  const store = (options: Partial<Parameters<typeof storeAwaiting>[1]> = {}): Promise<Waiting> =>
    storeAwaiting(database, { book, walletId, ...options });
  const decide = (
    { transfer, contentHash }: Waiting,
    person: TestPerson,
    decision: ApprovalDecision = 'approve',
  ): Promise<void> => {
    const given = { decision, contentHash, reason: null };
    return decideTransfer(deps, { book, id: transfer.id, actor: actorOf(person), ...given });
  };
  const remove = async ({ id: personId }: TestPerson): Promise<void> => {
    const owner = await personWith('owner');
    const team = { merchantId: book.merchantId };
    await removePerson(deps, { actor: actorOf(owner), team, personId });
  };
  const read = async ({ id }: Transfer): Promise<Transfer> => {
    const found = await findTransfer(database, { bookId: book.id, mode: book.mode, id });
    assert.ok(found !== undefined);
    return found;
  };
  const held = async (): Promise<unknown> => {
    const text = 'select held_minor::text as held from wallets where id = $1';
    return (await run(text, [walletId]))[0]?.['held'];
  };
  const eventsOf = async ({ id }: Transfer): Promise<readonly unknown[]> => {
    const rows = await run('select type from events where subject_id = $1 order by seq', [id]);
    return rows.map(({ type }) => type);
  };
  const assertLedgerRight = async (): Promise<void> => {
    const { problems } = await verifyLedger(database);
    assert.deepEqual(problems, []);
  };
  const people = { personWith, actorOf, remove };
  const looks = { read, held, eventsOf, assertLedgerRight, run };
  return { book, walletId, deps, store, decide, ...people, ...looks };
}

export type Approvals = Awaited<ReturnType<typeof openApprovals>>;

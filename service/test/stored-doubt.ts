import assert from 'node:assert/strict';
import { randomBytes, randomFillSync, randomUUID } from 'node:crypto';
import { addAdministrator } from '../src/administrators/add-administrator.ts';
import type { PersonActor } from '../src/domain/actor.ts';
import type { NextStep } from '../src/domain/standing.ts';
import type { Transfer } from '../src/domain/transfer.ts';
import type { TransferState } from '../src/domain/transfer-state.ts';
import { createUuidV7Source } from '../src/domain/uuid.ts';
import type { Database } from '../src/postgres/database.ts';
import { moveTransfers } from '../src/transfers/move/move-transfers.ts';
import { findAnyTransfer } from '../src/transfers/read/find-any-transfer.ts';
import { type PreparedOptions, storeTestTransfer } from './stored-transfer.ts';
import { TEST_ACTOR } from './test-actor.ts';
import { createTestBook, createTestWallet } from './test-book.ts';

export const newTestId = createUuidV7Source(Date.now, (bytes) => randomFillSync(bytes));
const HOUR_MS = 3_600_000;
export const FUNDED_MINOR = 100_000n;
export const DOUBT_FEE_MINOR = 5n;

/** Stores a live transfer that was sent and never answered, with its own wallet. */
export async function storeDoubt(
  database: Database,
  given: Partial<PreparedOptions> = {},
): Promise<Transfer> {
  const book = await createTestBook(database, { mode: 'live' });
  const walletId = await createTestWallet(database, {
    bookId: book.id,
    fundedMinor: FUNDED_MINOR,
  });
  const leaseOwner = randomUUID();
  const options = { walletId, feeMinor: DOUBT_FEE_MINOR, route: 'mtn-zm', ...given };
  const sent = await storeTestTransfer(database, { book, leaseOwner, ...options });
  return moveTo(database, sent, 'in_doubt');
}

/** Moves a transfer as the dispatcher does after an operator's answer. */
export async function moveTo(
  database: Database,
  transfer: Transfer,
  to: TransferState,
  nextActionInMs = to === 'in_doubt' ? HOUR_MS : null,
): Promise<Transfer> {
  const step: NextStep = {
    to,
    cause: 'test',
    failure: to === 'failed' ? 'OPERATOR_REJECTED' : null,
    operatorTransactionId: null,
    nextActionInMs,
    checks: 2,
    notFoundAnswers: 0,
    needsPerson: false,
  };
  const move = { transfer, step, actor: 'dispatcher', needsLease: false, leaseFor: null };
  const group = { moves: [move], mover: randomUUID(), at: new Date() };
  assert.deepEqual(await moveTransfers(database, group), [true]);
  return (await findAnyTransfer(database, transfer.id)).transfer;
}

/** Administrators, by name; the first one adds the others. */
export async function addTestAdministrators<Name extends string>(
  database: Database,
  names: readonly Name[],
): Promise<Readonly<Record<Name, PersonActor>>> {
  const actors: Record<string, PersonActor> = {};
  let adder: PersonActor | undefined;
  for (const name of names) {
    const deps = { directory: database, now: () => new Date(), newId: newTestId, randomBytes };
    const { id } = await addAdministrator(deps, { actor: adder ?? TEST_ACTOR, name });
    const added: PersonActor = { kind: 'person', id, name };
    actors[name] = added;
    adder ??= added;
  }
  return actors as Record<Name, PersonActor>;
}

export async function readBalance(
  database: Database,
  { bookId, walletId }: Transfer,
): Promise<Readonly<{ availableMinor: bigint; heldMinor: bigint }>> {
  const text = `
    select available_minor, held_minor from wallets where book_id = $1 and id = $2`;
  const [row] = await database.query<{ available_minor: bigint; held_minor: bigint }>(
    { name: '', text },
    [bookId, walletId],
  );
  assert.ok(row !== undefined);
  return { availableMinor: row.available_minor, heldMinor: row.held_minor };
}

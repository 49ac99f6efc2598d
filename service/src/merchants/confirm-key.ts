import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import { refuse } from '../domain/refusal.ts';
import type { Database, Statement } from '../postgres/database.ts';
import { findKey, type StoredKey, standingOf } from './find-key.ts';
import { keyFacts } from './issue-key.ts';

type ConfirmRequest = Readonly<{ actor: PersonActor; bookId: string; id: string }>;

/** Activates a key that waits for confirmation. Its maker cannot confirm it. */
export async function confirmKey(
  deps: ActDeps & Readonly<{ directory: Database }>,
  { actor, bookId, id }: ConfirmRequest,
): Promise<StoredKey> {
  return actAs({ database: deps.directory }, actor, async (tx) => {
    const key = await findKey(tx, { id, bookId });
    const confirmedAt = deps.now();
    if (standingOf(key, confirmedAt) !== 'awaiting_confirmation') {
      throw refuse('INVALID_STATE', NOT_AWAITING);
    }
    if (key.createdBy?.id === actor.id) throw refuse('FORBIDDEN', OWN_KEY);
    await tx.query(CONFIRM, [bookId, key.id, actor.id, confirmedAt]);
    await recordAct(tx, deps, {
      actor,
      kind: 'KEY_CONFIRMED',
      subject: key.id,
      merchantId: key.merchantId,
      bookId,
      reason: null,
      before: { ...keyFacts(key), confirmedAt: null },
      after: { ...keyFacts(key), confirmedAt: confirmedAt.toISOString() },
    });
    return { ...key, confirmedAt };
  });
}

const NOT_AWAITING = {
  message: 'The key does not wait for a confirmation: look at its state in the list of keys.',
};
const OWN_KEY = {
  message: 'You made this key, so another owner has to confirm it.',
};

const CONFIRM: Statement = {
  name: '',
  text: `
    update api_keys set confirmed_by = $3, confirmed_at = $4
    where book_id = $1 and id = $2 and revoked_at is null and confirmed_at is null`,
};

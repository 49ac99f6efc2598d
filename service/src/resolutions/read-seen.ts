import { createHash } from 'node:crypto';
import { refuse } from '../domain/refusal.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { FoundTransfer } from '../transfers/read/find-any-transfer.ts';
import { type OperatorStatement, readOperatorAnswers } from './read-operator-answers.ts';

const DIGEST_LENGTH = 32;

type Seen = Readonly<{
  found: FoundTransfer;
  /** The id of what waits for a second person. */
  proposalId: string | null;
  answers: readonly OperatorStatement[];
}>;

/** Names what a person who looks at a transfer now can see of it: another text means that they must look again. */
export async function readSeen(database: Queryable, found: FoundTransfer): Promise<string> {
  const { bookId, id } = found.transfer;
  const [open] = await database.query<{ id: string }>(FIND_OPEN, [bookId, id]);
  const answers = await readOperatorAnswers(database, found.transfer);
  return digestSeen({ found, proposalId: open?.id ?? null, answers });
}

/** Refuses a decision of a person who saw something else. Null: the caller does not say what was seen. */
export function refuseUnseen(seen: string | null, now: Seen): void {
  if (seen === null || seen === digestSeen(now)) return;
  throw refuse('CONTENT_CHANGED', {
    message:
      'The transfer is not as you saw it: its state changed, its operator said something new, or another person proposed, withdrew or decided something. Nothing was changed. Look at it again, then decide.',
  });
}

function digestSeen({ found, proposalId, answers }: Seen): string {
  const { contradictions } = found.transfer;
  const parts = [
    found.eventSeq,
    proposalId,
    contradictions.toSorted(),
    answers.map(({ id }) => id),
  ];
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return digest.slice(0, DIGEST_LENGTH);
}

const FIND_OPEN: Statement = {
  name: '',
  text: `
    select p.id from proposals p
    where p.book_id = $1 and p.transfer_id = $2 and p.ended_at is null`,
};

import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import { type Actor, actorCode } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import type { Database, Statement } from '../postgres/database.ts';
import { lockDraft } from './find-file.ts';

/**
 * Has the operators asked whose accounts the numbers of a draft are, in the background, within their rate limits. Names that are
 * known already are not asked for again.
 */
export async function requestNameChecks(
  deps: Readonly<{ database: Database; now: () => Date; newId: () => string }>,
  { book, actor, fileId }: Readonly<{ book: Book; actor: Actor; fileId: string }>,
): Promise<void> {
  await actAs(deps, actor, async (tx) => {
    await lockDraft(tx, { bookId: book.id, id: fileId });
    const now = deps.now();
    const [begun] = await tx.query<{ names_total: number }>(BEGIN, [
      book.id,
      fileId,
      actorCode(actor),
      now,
    ]);
    await recordAct(tx, deps, {
      actor,
      kind: 'PAYOUT_FILE_NAMES_ASKED',
      subject: fileId,
      merchantId: book.merchantId,
      bookId: book.id,
      reason: null,
      before: null,
      after: { names: begun?.names_total ?? 0 },
    });
  });
}

const BEGIN: Statement = {
  name: '',
  text: `
    update payout_files f
    set names_asked_at = $4::timestamptz, names_asked_by = $3, names_total = c.total, names_checked = c.checked,
        next_action_at = case when c.total > c.checked then now() end, updated_at = $4
    from (
      select count(*)::integer as total,
             count(*) filter (where r.name_checked_at is not null)::integer as checked
      from payout_file_rows r
      where r.book_id = $1 and r.file_id = $2 and r.state in ('ready', 'problem')
        and r.phone is not null and r.operator is not null
    ) c
    where f.book_id = $1 and f.id = $2
    returning f.names_total`,
};

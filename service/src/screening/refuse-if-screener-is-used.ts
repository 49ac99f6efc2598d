import { refuse } from '../domain/refusal.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

type Named = Readonly<{ bookId: string; name: string }>;

/**
 * Refuses a change of a screener that the policy of a live book uses, or its draft. Two people decided that payouts are
 * screened by it, and one person alone must not replace or remove it.
 */
export async function refuseIfScreenerIsUsed(
  tx: Queryable,
  { bookId, name }: Named,
): Promise<void> {
  // One statement, so that a draft that is being confirmed is seen as the one or as the other.
  const [asks] = await tx.query<AskedRow>(ASKS, [bookId, name]);
  if (asks?.in_force === true) throw refuse('INVALID_STATE', { message: askedInForce(name) });
  if (asks?.in_draft === true) throw refuse('INVALID_STATE', { message: askedInDraft(name) });
}

const askedInForce = (name: string) =>
  `The policy in force asks for the screener "${name}". Publish a policy that does not ask for it first, which takes two people. Nothing was changed.`;
const askedInDraft = (name: string) =>
  `The draft of the policy asks for the screener "${name}". Delete the draft first, and save it again afterwards. Nothing was changed.`;

type AskedRow = { in_force: boolean; in_draft: boolean };

const ASKS: Statement = {
  name: '',
  text: `
    select exists (
             select from json_array_elements(p.document->'rules') r where r->'require'->>'screen' = $2
           ) as in_force,
           exists (
             select from json_array_elements(d.document->'rules') r where r->'require'->>'screen' = $2
           ) as in_draft
    from books b
    left join lateral (
      select document from policies where book_id = b.id order by version desc limit 1
    ) p on true
    left join policy_drafts d on d.book_id = b.id
    where b.id = $1 and b.mode = 'live'`,
};

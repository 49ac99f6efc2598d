import type { Queryable, Statement } from '../postgres/database.ts';
import { endFactors } from './end-factors.ts';

/**
 * Ends all that opens the account of a person who has no role left: there is nothing that it could be for. A person who
 * is invited again sets it up anew, also where others had set it up by the first invitation.
 */
export async function closeAccountWithoutRoles(
  tx: Queryable,
  { personId, at }: Readonly<{ personId: string; at: Date }>,
): Promise<void> {
  await lockAccount(tx, personId);
  // A statement of its own: another team may have taken the last but one role while this one waited.
  const closed = await tx.query(CLOSE, [personId]);
  if (closed.length > 0) await endFactors(tx, { personId, at });
}

/**
 * A sign-in or a change of factors at this moment waits, and then finds no password, passkey or open session. Before
 * sessions of the person are ended: they take the locks in this order too.
 */
export async function lockAccount(tx: Queryable, personId: string): Promise<void> {
  await tx.query(LOCK, [personId]);
}

/**
 * A condition on a row of `people`: no password, passkey or single sign-on opens the account. So it is also with an
 * administrator who was removed and has a key again.
 */
export function cannotSignIn(person: string): string {
  return `(
      ${person}.password_hash is null and ${person}.vouched_at is null
      and not exists (select from passkeys k where k.person_id = ${person}.id)
    )`;
}

/**
 * The same of a person without roles, whose account any invitation to the address makes anew. With a role, an inviter of
 * another team could take the role over by a link.
 */
export function isClosed(person: string): string {
  return `(
      ${cannotSignIn(person)}
      and not exists (select from merchant_roles r where r.person_id = ${person}.id)
      and not exists (select from staff_roles r where r.person_id = ${person}.id)
    )`;
}

const LOCK: Statement = { name: '', text: 'select id from people where id = $1 for update' };

const CLOSE: Statement = {
  name: '',
  text: `
    update people p set password_hash = null, vouched_at = null
    where p.id = $1
      and not exists (select from staff_roles r where r.person_id = p.id)
      and not exists (select from merchant_roles r where r.person_id = p.id)
    returning p.id`,
};

import type { Queryable, Statement } from '../postgres/database.ts';

/** What a browser must bring back once, before it expires. */
export type ChallengePurpose =
  | 'add_passkey'
  | 'passkey_sign_in'
  | 'passkey_step_up'
  | 'single_sign_on';

/** Single sign-on lasts longer: the person may have to sign in at the issuer first. */
const LIFE_MS: Readonly<Record<ChallengePurpose, number>> = {
  add_passkey: 5 * 60_000,
  passkey_sign_in: 5 * 60_000,
  passkey_step_up: 5 * 60_000,
  single_sign_on: 10 * 60_000,
};
/** A person opens the same dialogue in a few tabs at most. */
const OF_PERSON_MAX = 5;
/**
 * Of all people who are not signed in yet. Past it the oldest is deleted, so that a flood locks out only people who take
 * longer than it needs to fill the table.
 */
const OF_UNKNOWN_MAX = 10_000;

export type Challenge = Readonly<{
  purpose: ChallengePurpose;
  /** Null: not known yet. */
  personId: string | null;
  /** 32 bytes: what a passkey signs, or the hash of a cookie. */
  value: Uint8Array;
  /** For single sign-on: the page of the console to return to. */
  returnTo: string | null;
}>;

type ChallengeDeps = Readonly<{ directory: Queryable; now: () => Date }>;

/** Stores a challenge under an id, and deletes expired ones and the oldest past the bound. */
export async function storeChallenge(
  { directory, now }: ChallengeDeps,
  { id, purpose, personId, value, returnTo }: Challenge & Readonly<{ id: string }>,
): Promise<void> {
  const at = now();
  const max = personId === null ? OF_UNKNOWN_MAX : OF_PERSON_MAX;
  await directory.query(CLEAN, [at, purpose, personId, max - 1]);
  const expiresAt = new Date(at.getTime() + LIFE_MS[purpose]);
  await directory.query(STORE, [id, purpose, personId, value, returnTo, expiresAt]);
}

/** Removes a challenge, so that it can be answered once only, right or wrong. */
export async function takeChallenge(
  { directory, now }: ChallengeDeps,
  {
    id,
    purpose,
    personId,
  }: Readonly<{ id: string; purpose: ChallengePurpose; personId: string | null }>,
): Promise<Pick<Challenge, 'value' | 'returnTo'> | undefined> {
  const [row] = await directory.query<{
    value: Buffer;
    return_to: string | null;
    expires_at: Date;
  }>(TAKE, [id, purpose, personId]);
  if (row === undefined || row.expires_at <= now()) return undefined;
  return { value: row.value, returnTo: row.return_to };
}

// Rows that another statement deletes just now are passed over: two that wait for each other would be a deadlock.
const CLEAN: Statement = {
  name: '',
  text: `
    delete from challenges
    where id in (
      select id from challenges
      where expires_at <= $1
         or id in (
           select id from challenges
           where purpose = $2 and person_id is not distinct from $3
           order by expires_at desc, id
           offset $4
         )
      for update skip locked
    )`,
};

const STORE: Statement = {
  name: '',
  text: `
    insert into challenges (id, purpose, person_id, value, return_to, expires_at)
    values ($1, $2, $3, $4, $5, $6)`,
};

const TAKE: Statement = {
  name: '',
  text: `
    delete from challenges
    where id = $1 and purpose = $2 and person_id is not distinct from $3
    returning value, return_to, expires_at`,
};

import type { Queryable, Statement } from '../postgres/database.ts';

/** A passkey as its person sees it. */
export type Passkey = Readonly<{
  id: string;
  name: string;
  createdAt: Date;
  /** Null: not used since it was added. */
  lastUsedAt: Date | null;
}>;

/** The second factors of a person. */
export type Factors = Readonly<{
  totp: Readonly<{ createdAt: Date }> | null;
  /** Oldest first. */
  passkeys: readonly Passkey[];
  recoveryCodesLeft: number;
}>;

export async function findFactors(directory: Queryable, personId: string): Promise<Factors> {
  const [row] = await directory.query<FactorsRow>(FIND, [personId]);
  return {
    totp: row?.totp_at === null || row === undefined ? null : { createdAt: row.totp_at },
    passkeys: (row?.passkeys ?? []).map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdAt: new Date(createdAt),
      lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt),
    })),
    recoveryCodesLeft: row?.codes_left ?? 0,
  };
}

/** A person who has a second factor must show one to sign in, and before another is added. */
export async function hasAnyFactor(directory: Queryable, personId: string): Promise<boolean> {
  const { totp, passkeys } = await findFactors(directory, personId);
  return totp !== null || passkeys.length > 0;
}

type PasskeyRow = { id: string; name: string; createdAt: string; lastUsedAt: string | null };
type FactorsRow = { totp_at: Date | null; passkeys: PasskeyRow[]; codes_left: number };

const FIND: Statement = {
  name: 'find-factors',
  text: `
    select (select created_at from totp_factors where person_id = $1) as totp_at,
           coalesce((
             select jsonb_agg(jsonb_build_object(
                      'id', id, 'name', name, 'createdAt', created_at, 'lastUsedAt', last_used_at
                    ) order by created_at, id)
             from passkeys
             where person_id = $1
           ), '[]') as passkeys,
           (select count(*) from recovery_codes where person_id = $1 and used_at is null)::integer as codes_left`,
};

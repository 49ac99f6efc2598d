import type { Queryable, Statement } from '../postgres/database.ts';

/** The second factors of a person. */
export type Factors = Readonly<{
  totp: Readonly<{ createdAt: Date }> | null;
  recoveryCodesLeft: number;
}>;

export async function findFactors(database: Queryable, personId: string): Promise<Factors> {
  const [row] = await database.query<FactorsRow>(FIND, [personId]);
  return {
    totp: row?.totp_at === null || row === undefined ? null : { createdAt: row.totp_at },
    recoveryCodesLeft: row?.codes_left ?? 0,
  };
}

/** A person who has a second factor must show one to sign in. */
export async function hasAnyFactor(database: Queryable, personId: string): Promise<boolean> {
  const { totp } = await findFactors(database, personId);
  return totp !== null;
}

type FactorsRow = { totp_at: Date | null; codes_left: number };

const FIND: Statement = {
  name: 'find-factors',
  text: `
    select (select created_at from totp_factors where person_id = $1) as totp_at,
           (select count(*) from recovery_codes where person_id = $1 and used_at is null)::integer as codes_left`,
};

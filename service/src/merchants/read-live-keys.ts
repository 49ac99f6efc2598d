import type { Mode } from '../domain/transfer.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { AuthenticatedKey, Scope } from './authenticated-key.ts';

/** What the database knows of a key that was issued and not revoked. */
export type LiveKey = Readonly<{
  key: AuthenticatedKey;
  expiresAtMs: number;
  lastUsedAtMs: number;
  /** Of the same snapshot as the key: a later change of the key raises it. */
  accessVersion: number;
}>;

/** The live keys of this cell among these hashes, by hash: one statement, however many are asked for. */
export async function readLiveKeys(
  { name, database }: Readonly<{ name: string; database: Queryable }>,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, LiveKey>> {
  const rows = await database.query<KeyRow>(FIND, [hashes]);
  return new Map(rows.map((row) => [row.hash, toLiveKey(row, name)]));
}

type KeyRow = {
  hash: string;
  id: string;
  book_id: string;
  merchant_id: string;
  mode: Mode;
  fee_fixed_minor: bigint;
  fee_basis_points: number;
  is_suspended: boolean;
  controls_version: number | null;
  scopes: Scope[];
  addresses: string[];
  expires_at: Date | null;
  last_used_at: Date | null;
  access_version: number;
};

function toLiveKey(row: KeyRow, cell: string): LiveKey {
  const feeTerms = { fixedMinor: row.fee_fixed_minor, basisPoints: row.fee_basis_points };
  return {
    key: {
      id: row.id,
      actor: { kind: 'key', id: row.id },
      book: {
        id: row.book_id,
        merchantId: row.merchant_id,
        mode: row.mode,
        feeTerms,
        isSuspended: row.is_suspended,
        controlsVersion: row.controls_version,
        cell,
      },
      scopes: row.scopes,
      addresses: row.addresses,
    },
    expiresAtMs: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
    lastUsedAtMs: row.last_used_at?.getTime() ?? 0,
    accessVersion: row.access_version,
  };
}

const FIND: Statement = {
  name: 'find-key',
  text: `
    select asked.hash, k.id, k.book_id, b.merchant_id, b.mode, b.fee_fixed_minor, b.fee_basis_points,
           b.suspended_at is not null as is_suspended, b.controls_version, k.scopes, k.addresses::text[] as addresses, k.expires_at, k.last_used_at,
           (v.version + d.version)::double precision as access_version
    from unnest($1::text[]) as asked (hash)
    join api_keys k on k.hash = decode(asked.hash, 'hex') and k.revoked_at is null
      and (k.confirm_until is null or k.confirmed_at is not null)
    join books b on b.id = k.book_id
    -- One that left is served by another cell.
    join merchants m on m.id = b.merchant_id and m.state <> 'moved'
    cross join access_version v
    cross join directory.access_version d`,
};

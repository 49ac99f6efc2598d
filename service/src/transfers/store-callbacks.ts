import type { CallbackReading } from '../operators/connector.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

const CAUSE_LENGTH_MAX = 200;

export type NewCallback = Readonly<{
  id: string;
  route: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  reading: CallbackReading['kind'];
  cause: string | null;
  operatorReference: string | null;
  claims: string | null;
  verified: boolean;
  receivedAt: Date;
}>;

/** Stores operators' calls as they came; a group of them by one statement. */
export async function storeCallbacks(
  database: Queryable,
  group: readonly NewCallback[],
): Promise<readonly true[]> {
  await database.query(STORE, [
    group.map(({ id }) => id),
    group.map(({ route }) => route),
    group.map(({ method }) => method),
    group.map(({ headers }) => JSON.stringify(headers)),
    group.map(({ body }) => body),
    group.map(({ reading }) => reading),
    group.map(({ cause }) => cause?.slice(0, CAUSE_LENGTH_MAX) ?? null),
    group.map(({ operatorReference }) => operatorReference),
    group.map(({ claims }) => claims),
    group.map(({ verified }) => verified),
    group.map(({ receivedAt }) => receivedAt),
  ]);
  return group.map(() => true);
}

const STORE: Statement = {
  name: 'store-callbacks',
  text: `
    insert into callbacks (
      id, route, method, headers, body, reading, cause, operator_reference, claims, verified,
      received_at
    )
    select * from unnest(
      $1::uuid[], $2::text[], $3::text[], $4::jsonb[], $5::bytea[], $6::text[], $7::text[],
      $8::uuid[], $9::text[], $10::boolean[], $11::timestamptz[]
    )`,
};

import { inSchemas } from '../cells/in-schemas.ts';
import { type KnownCell, listCells } from '../cells/list-cells.ts';
import { type Environment, openServer } from '../cells/open-server.ts';
import { queryCells } from '../cells/query-cells.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { searchPathOf } from '../schema/service-schema.ts';
import { endpointSecretPurpose } from './endpoint.ts';

/** One secret of an endpoint that is sealed with a key. */
export type SealedSample = Readonly<{ keyId: string; sealed: Uint8Array; purpose: string }>;

/** One for each key with which a secret of this cell is sealed. */
export async function readSealedSamples(database: Queryable): Promise<readonly SealedSample[]> {
  const rows = await database.query<SampleRow>(READ);
  return rows.map(({ key_id: keyId, book_id: bookId, id, sealed }) => ({
    keyId,
    sealed,
    purpose: endpointSecretPurpose({ bookId, id }),
  }));
}

/** The same of all cells. `isWhole` is false where one did not answer: it may use other keys. */
export async function readAllSamples(
  deps: Readonly<{ database: Database; env: Environment }>,
): Promise<Readonly<{ samples: readonly SealedSample[]; isWhole: boolean }>> {
  const cells = await listCells(deps.database);
  const { answers, unanswered } = await queryCells(cells, (cell) => readSamplesOf(deps, cell));
  return {
    samples: answers.flatMap(({ answer }) => answer),
    isWhole: unanswered.length === 0,
  };
}

async function readSamplesOf(
  { database, env }: Readonly<{ database: Database; env: Environment }>,
  { schema, urlVariable }: KnownCell,
): Promise<readonly SealedSample[]> {
  const path = searchPathOf({ schema });
  if (urlVariable === null) return inSchemas(database, path, readSealedSamples);
  const server = await openServer(env, urlVariable);
  try {
    return await inSchemas(server.database, path, readSealedSamples);
  } finally {
    await server.close();
  }
}

type SampleRow = { key_id: string; book_id: string; id: string; sealed: Uint8Array };

// The id of its key is in front of everything that is sealed, after one byte for its length. What merchants that moved
// have left here is never opened again.
const READ: Statement = {
  name: '',
  text: `
    select distinct on (s.key_id) s.key_id, s.book_id, s.id, s.sealed
    from (
      select e.book_id, e.id, o.sealed,
             encode(substr(o.sealed, 2, get_byte(o.sealed, 0)), 'escape') as key_id
      from webhook_endpoints e
      cross join lateral (
        select e.secret_sealed as sealed
        union all
        select e.previous_secret_sealed where e.previous_secret_until > now()
      ) o
      where e.book_id not in (
        select b.id from merchants m join books b on b.merchant_id = m.id where m.state = 'moved'
      )
    ) s
    order by s.key_id`,
};

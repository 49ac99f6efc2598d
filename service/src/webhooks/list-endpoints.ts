import type { Queryable, Statement } from '../postgres/database.ts';
import { ENDPOINTS_MAX, type Endpoint } from './endpoint.ts';
import { ENDPOINT_COLUMNS, type EndpointRow, toEndpoint } from './endpoint-row.ts';

export type EndpointKey = Readonly<{ bookId: string; id: string }>;

/** All endpoints of the book, newest first: there are few. */
export async function listEndpoints(
  database: Queryable,
  { bookId }: Readonly<{ bookId: string }>,
): Promise<readonly Endpoint[]> {
  const rows = await database.query<EndpointRow>(LIST, [bookId, ENDPOINTS_MAX]);
  return rows.map(toEndpoint);
}

export async function findEndpoint(
  database: Queryable,
  { bookId, id }: EndpointKey,
): Promise<Endpoint | undefined> {
  const [row] = await database.query<EndpointRow>(FIND, [bookId, id]);
  return row === undefined ? undefined : toEndpoint(row);
}

const LIST: Statement = {
  name: 'list-endpoints',
  text: `
    select ${ENDPOINT_COLUMNS}
    from webhook_endpoints e
    where e.book_id = $1
    order by e.id desc
    limit $2`,
};

const FIND: Statement = {
  name: 'find-endpoint',
  text: `
    select ${ENDPOINT_COLUMNS}
    from webhook_endpoints e
    where e.book_id = $1 and e.id = $2`,
};

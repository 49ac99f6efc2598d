import { Client, type QueryResultRow } from 'pg';

/** A server that is down refuses at once; a busy machine may take seconds to accept. */
const CONNECT_TIMEOUT_MS = 20_000;
const QUERY_TIMEOUT_MS = 20_000;

/** Runs one statement on its own connection. Throws when the server is down. */
export async function queryOnce<Row extends QueryResultRow>(
  databaseUrl: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: 'faults',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  });
  // A dying server emits an error here too; the query fails anyway.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

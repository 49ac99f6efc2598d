import { Client } from 'pg';
import { findPostmaster } from './data-folder.ts';

const CONNECT_TIMEOUT_MS = 3_000;
const QUERY_TIMEOUT_MS = 5_000;

export type DatabaseReading = Readonly<{
  bytes: number;
  /** Transactions since the server started, also rolled-back ones. */
  transactions: number;
}>;

/** Undefined while the server cannot be queried, as on a full disk. */
export async function readDatabase(dataDir: string): Promise<DatabaseReading | undefined> {
  const postmaster = await findPostmaster(dataDir);
  if (postmaster === undefined) return undefined;
  const client = new Client({
    connectionString: postmaster.databaseUrl,
    application_name: 'abuse',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  });
  // A server that ends also emits this event; the query fails anyway.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ bytes: string; transactions: string }>(READING);
    const [row] = rows;
    return row && { bytes: Number(row.bytes), transactions: Number(row.transactions) };
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const READING = `
  select pg_database_size(datname) as bytes, xact_commit + xact_rollback as transactions
  from pg_stat_database where datname = current_database()`;

import { escapeIdentifier } from 'pg';
import type { Database, Queryable } from '../postgres/database.ts';

/** One transaction in which names without a schema are looked for in these. */
export function inSchemas<T>(
  database: Database,
  schemas: readonly string[],
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const path = schemas.map((schema) => escapeIdentifier(schema)).join(', ');
  return database.transaction(async (tx) => {
    await tx.query({ name: '', text: `set local search_path to ${path}` });
    return work(tx);
  });
}

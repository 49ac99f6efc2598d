import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import type { Database } from '../../postgres/database.ts';

export type FileLifeDeps = Readonly<{
  database: Database;
  now: () => Date;
  newId: () => string;
  /** Has files looked at that are due. */
  wake: () => void;
}>;

export function readFileId(params: Readonly<Record<string, string>>): string {
  const id = parseUuid(params.id ?? '');
  if (id === undefined) throw refuse('PAYOUT_FILE_NOT_FOUND');
  return id;
}

import type { Database } from '../postgres/database.ts';
import { prepareSchema } from '../postgres/prepare-schema.ts';
import { cellSchema, DIRECTORY_COPY } from '../schema/service-schema.ts';
import type { KnownCell } from './list-cells.ts';

type Options = Readonly<{
  cells: readonly Pick<KnownCell, 'name' | 'schema'>[];
  /** The role of the service; undefined: roles that have rights on the tables keep them, and no other gets any. */
  role: string | undefined;
  say: (line: string) => void;
}>;

/**
 * Migrates the copy of the directory and the cells of a server that is not the directory's, and renews the rights of the
 * service on them. Returns whether we own the tables.
 */
export async function prepareServer(database: Database, options: Options): Promise<boolean> {
  const { role, say } = options;
  // The copy comes first: a cell that finds no directory makes one.
  let owned = await prepareSchema(database, { schema: DIRECTORY_COPY, role, say });
  for (const cell of options.cells) {
    const ownsCell = await prepareSchema(database, { schema: cellSchema(cell), role, say });
    owned &&= ownsCell;
  }
  return owned;
}

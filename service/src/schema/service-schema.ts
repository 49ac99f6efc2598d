import { fileURLToPath } from 'node:url';
import type { Schema } from '../postgres/prepare-schema.ts';
import { GROWING_TABLES } from './growing-tables.ts';

const folder = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** What is not one book's: merchants and where they are, keys, people, routes. */
export const DIRECTORY: Schema = {
  title: 'the directory',
  schema: 'directory',
  folders: [folder('migrations/directory')],
  grants: { file: folder('grants/directory.sql'), analysed: [] },
  mainTable: 'sessions',
};

/** What other servers have of the directory, for the statements of their cells. */
export const DIRECTORY_COPY: Schema = {
  title: 'the copy of the directory',
  schema: 'directory',
  folders: [folder('migrations/directory-copy')],
  grants: { file: folder('grants/directory-copy.sql'), analysed: [] },
  mainTable: 'people',
};

/** Until there are several cells, this one has all books. */
export const MAIN_CELL = { name: 'main', schema: 'public' } as const;

/**
 * It did not run in a cell that still had rows of a merchant that has moved. Where it did, the migration all-makers adds
 * what it passed over.
 */
const CORRECTED = {
  '0060_makers.sql': '92e313bcefa7e2dde22e54ef433ca225119f7193be023aac155f05c659a8804e',
};

/** A cell: all that belongs to its books. */
export function cellSchema({ name, schema }: Readonly<{ name: string; schema: string }>): Schema {
  return {
    title: `cell ${name}`,
    schema,
    folders: [folder('migrations/undivided'), folder('migrations/cell')],
    corrected: CORRECTED,
    grants: { file: folder('grants/cell.sql'), analysed: GROWING_TABLES },
    mainTable: 'transfers',
  };
}

/** Where a cell's statements look for their tables. */
export function searchPathOf({ schema }: Readonly<{ schema: string }>): readonly string[] {
  return [schema, DIRECTORY.schema];
}

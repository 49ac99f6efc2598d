import type { Database, Statement } from '../src/postgres/database.ts';
import { prepareSchema } from '../src/postgres/prepare-schema.ts';
import { cellSchema } from '../src/schema/service-schema.ts';

export type CellPlace = Readonly<{ name: string; schema: string }>;

/** Makes a cell on the server of the directory, and lists it there. `role`: that of the service; undefined: it gets no rights. */
export async function makeCell(
  database: Database,
  place: CellPlace,
  role: string | undefined,
): Promise<void> {
  await prepareSchema(database, { schema: cellSchema(place), role, say: () => undefined });
  await database.query(LIST, [place.name, place.schema]);
}

const LIST: Statement = {
  name: '',
  text: 'insert into directory.cells (name, schema, created_at) values ($1, $2, now())',
};

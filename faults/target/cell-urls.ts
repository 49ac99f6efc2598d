import { searchPathOf } from '../../service/src/schema/service-schema.ts';
import { findPostmaster } from './data-folder.ts';
import type { TestSystem } from './test-system.ts';

/** A cell and on which of the two servers it is. */
export type CellAt = Readonly<{ name: string; schema: string; isFar: boolean }>;

/** An address for each cell that finds its tables. Undefined: a server does not run. */
export async function findCellUrls(
  { database, cellServer, cells }: Pick<TestSystem, 'database' | 'cellServer' | 'cells'>,
  isWanted: (cell: CellAt) => boolean = () => true,
): Promise<readonly string[] | undefined> {
  const first = await findPostmaster(database.dataDir);
  const second = await cellServer?.find();
  const urls = cells
    .filter(isWanted)
    .map((cell) => ({ cell, url: (cell.isFar ? second : first)?.databaseUrl }));
  const found = urls.flatMap(({ cell, url }) => (url === undefined ? [] : [inCell(url, cell)]));
  return found.length === urls.length ? found : undefined;
}

function inCell(databaseUrl: string, { schema }: CellAt): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', `-c search_path=${searchPathOf({ schema }).join(',')}`);
  return url.href;
}

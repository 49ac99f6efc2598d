import { apiQuery } from '../api-path.ts';
import { type Page, PageList, type Paging } from '../page-list.ts';
import type { CallOptions, Transport } from '../transport.ts';

type ListRequest = Readonly<{
  /** Called for each page, so that a wrong id is a rejection, as in other calls. */
  path: () => string;
  filter: Paging & Parameters<typeof apiQuery>[0];
  options: CallOptions | undefined;
  /** A page with fewer items is the last for now, although it has a cursor. */
  itemsMin?: number;
}>;

/** A list that is always short may come without a cursor. */
type Answered<Item> = Readonly<{ items: readonly Item[]; nextCursor?: string | null }>;

/** A list of the API, nothing of which is read before it is asked for. */
export function readList<Item>(
  transport: Transport,
  { path, filter, options, itemsMin }: ListRequest,
): PageList<Item> {
  const readPage = async (cursor: string | undefined): Promise<Page<Item>> => {
    const { items, nextCursor = null } = await transport.call<Answered<Item>>({
      method: 'GET',
      path: path(),
      query: apiQuery({ ...filter, cursor }),
      options,
      isRepeatable: true,
    });
    return { items, nextCursor };
  };
  return new PageList(readPage, { start: filter.cursor, itemsMin });
}

/** Views that one person may have in one book. */
export const VIEWS_MAX = 50;
export const VIEW_NAME_LENGTH_MAX = 60;
export const VIEW_QUERY_LENGTH_MAX = 2_000;
export const VIEW_COLUMNS_MAX = 40;
export const VIEW_COLUMN_LENGTH_MAX = 40;

/** What a person chose: the filters of a list as the query of its address, and the columns. */
export type ViewChoice = Readonly<{
  name: string;
  query: string;
  columns: readonly string[];
  isShared: boolean;
}>;

/** A list with filters and columns that a person has named. */
export type SavedView = ViewChoice &
  Readonly<{ id: string; ownedBy: Readonly<{ id: string; name: string }> }>;

/** Of a person, in a book. */
export type ViewOwner = Readonly<{ personId: string; bookId: string }>;

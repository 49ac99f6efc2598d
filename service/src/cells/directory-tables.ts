/** A table that other servers have a copy of. */
export type DirectoryTable = Readonly<{
  name: string;
  /** What a row is known by. */
  key: readonly string[];
  /** Those of the key that may be null. */
  nullable: readonly string[];
  /** What is copied, with the key. */
  columns: readonly string[];
}>;

/**
 * Counts up with each change of the tables below. A copy with an older layout is filled anew; one with a newer layout is
 * left to the processes that know it.
 */
export const COPY_LAYOUT = 3;

/** The same as in migrations/directory and migrations/directory-copy. */
export const DIRECTORY_TABLES: readonly DirectoryTable[] = [
  { name: 'people', key: ['id'], nullable: [], columns: ['id', 'name', 'removed_at'] },
  {
    name: 'api_keys',
    key: ['book_id', 'id'],
    nullable: [],
    columns: [
      'book_id',
      'id',
      'hash',
      'hint',
      'name',
      'scopes',
      'addresses',
      'created_at',
      'expires_at',
      'revoked_at',
      'created_by',
      'created_by_name',
      'rotated_by',
      'confirm_until',
      'confirmed_by',
      'confirmed_at',
    ],
  },
  {
    name: 'merchant_roles',
    key: ['person_id', 'merchant_id', 'role', 'book_id'],
    nullable: ['book_id'],
    columns: ['person_id', 'merchant_id', 'role', 'book_id', 'given_at'],
  },
  {
    name: 'staff_roles',
    key: ['person_id', 'role'],
    nullable: [],
    columns: ['person_id', 'role', 'given_at'],
  },
  {
    name: 'route_holds',
    key: ['route'],
    nullable: [],
    columns: ['route', 'held_by', 'reason', 'held_at', 'effect'],
  },
  {
    name: 'holidays',
    key: ['country', 'day'],
    nullable: [],
    columns: ['country', 'day', 'name', 'source', 'entered_by', 'entered_by_name', 'entered_at'],
  },
  {
    name: 'holiday_versions',
    key: ['country'],
    nullable: [],
    columns: ['country', 'version'],
  },
  {
    name: 'approval_checks',
    key: ['book_id'],
    nullable: [],
    columns: ['book_id', 'number'],
  },
  { name: 'access_version', key: ['id'], nullable: [], columns: ['id', 'version'] },
];

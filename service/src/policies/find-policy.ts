import type { Queryable, Statement } from '../postgres/database.ts';
import type { PolicyDocument, PolicyVersion } from './policy-version.ts';

/** The list of versions shows so many, the newest first. */
const HISTORY_MAX = 100;

type PolicyRow = {
  version: number;
  document: PolicyDocument;
  content_hash: string;
  published_by: string;
  published_by_name: string;
  confirmed_by: string | null;
  confirmed_by_name: string | null;
  published_at: Date;
};

/** The policy that is in force; undefined: the book has none. */
export async function findPolicy(
  database: Queryable,
  bookId: string,
): Promise<PolicyVersion | undefined> {
  const [row] = await database.query<PolicyRow>(IN_FORCE, [bookId]);
  return row === undefined ? undefined : toVersion(row);
}

export async function findPolicyVersion(
  database: Queryable,
  { bookId, version }: Readonly<{ bookId: string; version: number }>,
): Promise<PolicyVersion | undefined> {
  const [row] = await database.query<PolicyRow>(ONE, [bookId, version]);
  return row === undefined ? undefined : toVersion(row);
}

/** The versions of a book's policy without their documents, the newest first. */
export async function listPolicyVersions(
  database: Queryable,
  bookId: string,
): Promise<readonly Omit<PolicyVersion, 'document'>[]> {
  const rows = await database.query<Omit<PolicyRow, 'document'>>(HISTORY, [bookId, HISTORY_MAX]);
  return rows.map(describeVersion);
}

function toVersion(row: PolicyRow): PolicyVersion {
  return { ...describeVersion(row), document: row.document };
}

function describeVersion(row: Omit<PolicyRow, 'document'>): Omit<PolicyVersion, 'document'> {
  const first = { id: row.published_by, name: row.published_by_name };
  const { confirmed_by: id, confirmed_by_name: name } = row;
  return {
    version: row.version,
    contentHash: row.content_hash,
    publishedBy: id === null || name === null ? [first] : [first, { id, name }],
    publishedAt: row.published_at,
  };
}

const IN_FORCE: Statement = {
  name: 'find-policy',
  text: `
    select version, document, content_hash, published_by, published_by_name, confirmed_by, confirmed_by_name,
      published_at
    from policies where book_id = $1
    order by version desc
    limit 1`,
};

const ONE: Statement = {
  name: '',
  text: `
    select version, document, content_hash, published_by, published_by_name, confirmed_by, confirmed_by_name,
      published_at
    from policies where book_id = $1 and version = $2`,
};

const HISTORY: Statement = {
  name: '',
  text: `
    select version, content_hash, published_by, published_by_name, confirmed_by, confirmed_by_name, published_at
    from policies where book_id = $1
    order by version desc
    limit $2`,
};

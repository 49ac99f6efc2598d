import type { Book } from '../domain/book.ts';
import { type CompiledPolicy, compilePolicy } from '../domain/policy/compile-policy.ts';
import { parsePolicy } from '../domain/policy/parse-policy.ts';
import { readListedNumbers } from '../lists/read-numbers.ts';
import { findPolicy } from '../policies/find-policy.ts';
import type { PolicyVersion } from '../policies/policy-version.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { Controls } from './controls.ts';

/** Books whose controls are kept in memory. */
const BOOKS_KEPT_MAX = 1_000;
/** Numbers on lists that are kept, of all books together: about 40 MB. */
const NUMBERS_KEPT_MAX = 200_000;

export type ControlSnapshots = Readonly<{
  /**
   * The controls of a book, at the version that the caller knows or a later one. Synchronous where they are in memory.
   * Null: it has none.
   */
  find(book: Pick<Book, 'id' | 'controlsVersion'>): Controls | null | Promise<Controls | null>;
  /** The controls that are in force now, read anew. For decisions that no lock compares again. */
  findCurrent(bookId: string): Promise<Controls | null>;
}>;

export function createControlSnapshots({
  database,
}: Readonly<{ database: Queryable }>): ControlSnapshots {
  // A map keeps the order of insertion: the first entries were used longest ago.
  const kept = new Map<string, Controls>();
  const loading = new Map<string, Promise<Controls | null>>();
  let numbers = 0;

  function forget(bookId: string): void {
    const known = kept.get(bookId);
    if (known === undefined) return;
    kept.delete(bookId);
    numbers -= countNumbers(known);
  }

  function keep(bookId: string, controls: Controls): void {
    forget(bookId);
    kept.set(bookId, controls);
    numbers += countNumbers(controls);
    for (const oldest of kept.keys()) {
      if (kept.size <= BOOKS_KEPT_MAX && numbers <= NUMBERS_KEPT_MAX) return;
      if (oldest !== bookId) forget(oldest);
    }
  }

  async function load(bookId: string): Promise<Controls | null> {
    try {
      const controls = await readControls(database, bookId);
      if (controls !== null) keep(bookId, controls);
      return controls;
    } finally {
      loading.delete(bookId);
    }
  }

  const find: ControlSnapshots['find'] = ({ id, controlsVersion }) => {
    if (controlsVersion === null) return null;
    const known = kept.get(id);
    if (known !== undefined && known.version >= controlsVersion) {
      kept.delete(id);
      kept.set(id, known);
      return known;
    }
    // What is being read may be from before this version: it is looked at once more then.
    const underWay = loading.get(id);
    if (underWay !== undefined) return underWay.then(() => find({ id, controlsVersion }));
    const loaded = load(id);
    loading.set(id, loaded);
    return loaded;
  };
  return {
    find,
    findCurrent: async (id) => find({ id, controlsVersion: await readVersion(database, id) }),
  };
}

function countNumbers({ listed: { denied, allowed } }: Controls): number {
  return (denied === 'many' ? 0 : denied.size) + (allowed === 'many' ? 0 : allowed.size);
}

/**
 * The version is read first. What is read after it may be newer; then the version is no longer that of any wallet, and no
 * decision by it is stored.
 */
async function readControls(database: Queryable, bookId: string): Promise<Controls | null> {
  const version = await readVersion(database, bookId);
  if (version === null) return null;
  const found = await findPolicy(database, bookId);
  const policy = found === undefined ? null : compile(found);
  const listed = await readListedNumbers(database, bookId);
  return {
    version,
    policy,
    policyVersion: found?.version ?? null,
    listed,
    isSimple: (policy === null || policy.isSimple) && listed.denied !== 'many',
  };
}

function compile({ version, document }: PolicyVersion): CompiledPolicy {
  const parsed = parsePolicy(document);
  if (!parsed.isValid) {
    throw new Error(
      `version ${version} of a policy in force cannot be read: is this an old process?`,
    );
  }
  return compilePolicy(parsed.policy);
}

async function readVersion(database: Queryable, bookId: string): Promise<number | null> {
  const [book] = await database.query<{ controls_version: number | null }>(READ_VERSION, [bookId]);
  return book?.controls_version ?? null;
}

const READ_VERSION: Statement = {
  name: 'read-controls-version',
  text: 'select controls_version from books where id = $1',
};

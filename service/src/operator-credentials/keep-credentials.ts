import type {
  CredentialOwner,
  CredentialStore,
  KeptCredential,
} from '../operators/credentials/credential-store.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { Logger } from '../telemetry/logger.ts';
import { SealBroken, type Sealer } from '../webhooks/seal-secret.ts';

/**
 * A payout may be waiting for the token. If the database is slower than this, a new one is fetched from the operator.
 */
const READ_MAX_MS = 1_000;

export type CredentialKeeperDeps = Readonly<{
  directory: Queryable;
  sealer: Sealer;
  wait: (ms: number) => Promise<void>;
  logger: Pick<Logger, 'warn'>;
}>;

/**
 * Keeps tokens and sessions of routes in the database, sealed. If the database does not answer, each process continues
 * with what it has in memory, and logs it.
 */
export function createCredentialKeepers(
  deps: CredentialKeeperDeps,
): (owner: CredentialOwner) => CredentialStore {
  const unopenedRoutes = new Set<string>();
  return (owner) => createKeeper(deps, owner, unopenedRoutes);
}

function createKeeper(
  { directory, sealer, wait, logger }: CredentialKeeperDeps,
  { route, account }: CredentialOwner,
  unopenedRoutes: Set<string>,
): CredentialStore {
  function open(row: KeptRow): readonly KeptCredential[] {
    try {
      const { value, obtainedWith } = readSealed(sealer.open(row.sealed, purpose(row.id)));
      const { id, readyInMs, refreshInMs, expiresInMs } = row;
      return [{ id, value, obtainedWith, readyInMs, refreshInMs, expiresInMs }];
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      if (!unopenedRoutes.has(route)) {
        unopenedRoutes.add(route);
        logger.warn({ route, err: error }, 'a kept credential cannot be opened, fetching another');
      }
      return [];
    }
  }

  /** What is sealed for one row does not open in another. */
  const purpose = (id: string): string => ['operator credential', route, account, id].join('\n');

  return {
    async load() {
      try {
        const rows = directory.query<KeptRow>(SELECT_KEPT, [route, account]);
        const read = await Promise.race([rows, wait(READ_MAX_MS)]);
        if (read !== undefined) return read.flatMap(open);
        logger.warn({ route }, 'reading kept credentials takes too long, going on without');
      } catch (error) {
        logger.warn({ route, err: error }, 'reading kept credentials failed, going on without');
      }
      return [];
    },
    async keep({ id, value, obtainedWith, readyInMs, refreshInMs, expiresInMs }) {
      try {
        const sealed = sealer.seal(JSON.stringify({ value, obtainedWith }), purpose(id));
        const times = [readyInMs, refreshInMs, expiresInMs];
        await directory.query(KEEP, [route, id, account, sealed, ...times]);
      } catch (error) {
        logger.warn({ route, err: error }, 'a credential could not be kept');
      }
    },
    async remove(id) {
      try {
        await directory.query(REMOVE, [route, id]);
      } catch (error) {
        logger.warn({ route, err: error }, 'a refused credential could not be removed');
      }
    },
  };
}

type Sealed = Readonly<{ value: string; obtainedWith: string }>;

function readSealed(text: string): Sealed {
  // Written by `keep` and authenticated by the seal.
  return JSON.parse(text) as Sealed;
}

type KeptRow = Readonly<{
  id: string;
  sealed: Uint8Array;
  readyInMs: number;
  refreshInMs: number;
  expiresInMs: number;
}>;

const SELECT_KEPT: Statement = {
  name: 'kept-credentials',
  text: `
    select id, sealed,
           (extract(epoch from ready_at - clock_timestamp()) * 1000)::float8 as "readyInMs",
           (extract(epoch from refresh_at - clock_timestamp()) * 1000)::float8 as "refreshInMs",
           (extract(epoch from expires_at - clock_timestamp()) * 1000)::float8 as "expiresInMs"
    from operator_credentials
    where route = $1 and account = $2 and expires_at > clock_timestamp()
    order by expires_at desc
    limit 4`,
};

/**
 * Older credentials stay beside the new one, because the new one may not be accepted yet. Three are enough, however
 * many processes fetch. Those of another account are deleted: the route has changed its account.
 */
const KEEP: Statement = {
  name: 'keep-credential',
  text: `
    with kept as (
      insert into operator_credentials (route, id, account, sealed, ready_at, refresh_at, expires_at)
      values ($1, $2, $3, $4,
              clock_timestamp() + $5::float8 * interval '1 millisecond',
              clock_timestamp() + $6::float8 * interval '1 millisecond',
              clock_timestamp() + $7::float8 * interval '1 millisecond')
    )
    delete from operator_credentials
    where route = $1
      and id not in (
        select id from operator_credentials
        where route = $1 and account = $3 and expires_at > clock_timestamp()
        order by expires_at desc
        limit 3)`,
};

const REMOVE: Statement = {
  name: 'remove-credential',
  text: 'delete from operator_credentials where route = $1 and id = $2',
};

import type { Queryable, Statement } from './session.ts';

/** With any other value, a commit that the server confirmed could be lost. */
const SAFE_VALUES = {
  fsync: ['on'],
  full_page_writes: ['on'],
  // "local" does not wait for a standby, and "off" does not wait for the disk either.
  synchronous_commit: ['on', 'remote_write', 'remote_apply'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type SettingName = keyof typeof SAFE_VALUES;
type Settings = Readonly<Record<SettingName, string>>;
const SETTING_NAMES = Object.keys(SAFE_VALUES) as SettingName[];

/** The database could lose what it confirms, because of its settings; the message says how to correct them. */
export class UnsafeDatabase extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnsafeDatabase';
  }
}

/**
 * Prepares a new session. Throws UnsafeDatabase when it is not durable. A durable session keeps its synchronous_commit,
 * even if the configuration changes later. It also sends warnings: one of them reports that a commit did not reach the
 * standby.
 */
export async function prepareSession(session: Queryable): Promise<void> {
  const [settings] = await session.query<Settings>(PREPARE);
  if (settings === undefined) throw new Error('the database does not say how it is set up');
  if (isSafe(settings)) return;
  throw await explainUnsafe(session);
}

/** What is unsafe about a session in use; undefined when nothing is. */
export async function findUnsafe(session: Queryable): Promise<UnsafeDatabase | undefined> {
  const [settings] = await session.query<Settings>(READ);
  return settings !== undefined && isSafe(settings) ? undefined : explainUnsafe(session);
}

function isSafe(settings: Settings): boolean {
  return SETTING_NAMES.every((name) =>
    (SAFE_VALUES[name] as readonly string[]).includes(settings[name]),
  );
}

async function explainUnsafe(session: Queryable): Promise<UnsafeDatabase> {
  const rows = await session.query<{ name: SettingName; setting: string; mend: string }>(EXPLAIN, [
    SETTING_NAMES,
  ]);
  const problems = rows
    .filter(({ name, setting }) => !(SAFE_VALUES[name] as readonly string[]).includes(setting))
    .map(({ name, setting, mend }) => `${name} is ${setting} (to mend it: ${mend})`);
  return new UnsafeDatabase(
    `The database could lose what it has confirmed: ${problems.join('; ')}.`,
  );
}

const CURRENT = `
  current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
  current_setting('synchronous_commit') as synchronous_commit`;

const READ: Statement = { name: 'read-durability', text: `select ${CURRENT}` };

// An unsafe synchronous_commit is left unchanged, so that EXPLAIN can report where it comes from.
const PREPARE: Statement = {
  name: '',
  text: `
    select ${CURRENT}, set_config('client_min_messages', 'warning', false),
      case
        when current_setting('synchronous_commit') not in ('off', 'local')
        then set_config('synchronous_commit', current_setting('synchronous_commit'), false)
      end`,
};

const EXPLAIN: Statement = {
  name: '',
  text: `
    select name, setting,
      case source
        when 'user' then format('alter role %I reset %s', session_user, name)
        when 'database' then format('alter database %I reset %s', current_database(), name)
        when 'database user'
        then format('alter role %I in database %I reset %s', session_user, current_database(), name)
        when 'global' then format('alter role all reset %s', name)
        when 'client' then format('remove %s from the options of the connection', name)
        when 'command line' then format('start the server without its option %s', name)
        else format('alter system set %s = on, then select pg_reload_conf()', name)
      end as mend
    from pg_settings
    where name = any ($1)
    order by name`,
};

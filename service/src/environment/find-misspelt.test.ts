import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findMisspelt } from './find-misspelt.ts';
import { VARIABLES } from './variables.ts';

const suggestions = (...names: readonly string[]) =>
  findMisspelt(Object.fromEntries(names.map((name) => [name, 'x']))).map(
    ({ name, meant }) => `${name} ${meant}`,
  );

it('finds what differs from a variable by a slip of the fingers', () => {
  for (const [name, meant] of [
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATBASE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['PROT', 'PORT'],
    ['DATADIR', 'DATA_DIR'],
    ['ROUTE_FILE', 'ROUTES_FILE'],
    ['WEBHOOK_SECRET_KEY', 'WEBHOOK_SECRET_KEYS'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['RATE_LIMIT_PER_SECONDS', 'RATE_LIMIT_PER_SECOND'],
    ['database_url', 'DATABASE_URL'],
  ] as const) {
    assert.deepEqual(suggestions(name), [`${name} ${meant}`]);
  }
});

it('leaves the variables of others alone', () => {
  const others = `HOME PATH PWD TERM USER SHELL LANG LC_ALL TZ HOSTNAME HOSTTYPE LOGNAME MAIL EDITOR PGHOST PGPORT
    PGDATABASE PGUSER POSTGRES_URL REDIS_URL NODE_ENV NODE_OPTIONS NODE_COMPILE_CACHE MALLOC_ARENA_MAX
    npm_config_cache npm_lifecycle_event INIT_CWD COLOR PS1 PS4 DEBUG CI LOG_FILE DB_URL TMPDIR XDG_DATA_DIRS
    KUBERNETES_PORT KUBERNETES_SERVICE_HOST KAFUE_PORT SSH_TTY _ SHLVL OLDPWD POST FORT RUN_ID`;
  assert.deepEqual(suggestions(...others.split(/\s+/)), []);
  assert.deepEqual(suggestions(...VARIABLES), []);
});

it('says nothing beside the variable that is set, nor of one that is empty', () => {
  assert.deepEqual(suggestions('DATABASE_URL', 'DATABASE_URL2'), []);
  assert.deepEqual(findMisspelt({ DATABSE_URL: '' }), []);
});

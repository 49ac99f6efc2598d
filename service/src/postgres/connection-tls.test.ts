import assert from 'node:assert/strict';
import { appendFile, chown, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createDataDir, removeDataDir } from '../../test/data-dir.ts';
import { LOCALHOST_TLS } from '../../test/localhost-tls.ts';
import { pollUntil } from '../../test/poll.ts';
import { BadConnectionString } from './connection-tls.ts';
import { DatabaseUnreachable, openDatabase } from './database.ts';
import { findClusterPlace } from './embedded/cluster-place.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded/open-embedded-postgres.ts';

describe('a connection string', () => {
  let dataDir: string;
  let server: EmbeddedPostgres;
  let authority: string;

  before(async () => {
    dataDir = await createDataDir();
    const description = 'test of TLS';
    server = await openEmbeddedPostgres(
      { say: () => undefined },
      { dataDir, role: 'admin', description },
    );
    authority = join(dataDir, 'authority.pem');
    await writeFile(authority, LOCALHOST_TLS.cert);
  });
  after(async () => {
    await server.close();
    await removeDataDir(dataDir);
  });

  function urlWith(parameters: Readonly<Record<string, string>>, host = 'localhost'): string {
    const url = new URL(server.connectionString);
    url.hostname = host;
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  async function query(connectionString: string, text: string): Promise<unknown> {
    const options = { connectionString, applicationName: 'tls', connectionsMax: 1 };
    const database = openDatabase({ ...options, onError: () => undefined });
    try {
      const [row] = await database.query<{ answer: unknown }>({ name: '', text });
      return row?.answer;
    } finally {
      await database.close();
    }
  }

  const isEncrypted = (parameters: Readonly<Record<string, string>>, host?: string) =>
    query(
      urlWith(parameters, host),
      'select ssl as answer from pg_stat_ssl where pid = pg_backend_pid()',
    );

  const isRefused = (cause: RegExp) => (error: unknown) => {
    assert.ok(error instanceof DatabaseUnreachable, String(error));
    const { code = '', message } = error.cause as NodeJS.ErrnoException;
    assert.match(`${code} ${message}`, cause);
    return true;
  };

  async function turnOnTls(): Promise<void> {
    const { clusterDir } = await findClusterPlace(dataDir);
    const { uid, gid } = await stat(clusterDir);
    for (const [name, text] of [
      ['server.crt', LOCALHOST_TLS.cert],
      ['server.key', LOCALHOST_TLS.key],
    ] as const) {
      await writeFile(join(clusterDir, name), `${text}\n`, { mode: 0o600 });
      await chown(join(clusterDir, name), uid, gid);
    }
    await appendFile(join(clusterDir, 'postgresql.conf'), 'ssl = on\n');
    const [pid] = (await readFile(join(clusterDir, 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGHUP');
    await pollUntil('TLS to be on', async () => {
      const text = "select current_setting('ssl') as answer";
      return (await query(urlWith({}), text)) === 'on';
    });
  }

  it('that requires encryption is refused by a server without it', async () => {
    for (const sslmode of ['require', 'verify-full', 'no-verify']) {
      await assert.rejects(isEncrypted({ sslmode }), isRefused(/does not support SSL/));
    }
  });

  describe('to a server with TLS', () => {
    before(turnOnTls);

    it('does not encrypt unless it says so', async () => {
      assert.equal(await isEncrypted({}), false);
      assert.equal(await isEncrypted({ sslmode: 'disable' }), false);
      assert.equal(await isEncrypted({ ssl: '0' }), false);
    });

    it('refuses a certificate of an unknown authority, in every mode but no-verify', async () => {
      for (const sslmode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
        await assert.rejects(isEncrypted({ sslmode }), isRefused(/SELF_SIGNED/), sslmode);
      }
      await assert.rejects(isEncrypted({ ssl: 'true' }), isRefused(/SELF_SIGNED/));
    });

    it('accepts a certificate of the authority in sslrootcert, and encrypts', async () => {
      for (const sslmode of ['require', 'verify-ca', 'verify-full']) {
        assert.equal(await isEncrypted({ sslmode, sslrootcert: authority }), true, sslmode);
      }
      assert.equal(await isEncrypted({ sslrootcert: authority }), true);
    });

    it('refuses a certificate for another name', async () => {
      const parameters = { sslmode: 'verify-full', sslrootcert: authority };
      await assert.rejects(isEncrypted(parameters, '127.0.0.1'), isRefused(/ALTNAME/));
    });

    it('encrypts without any check in mode no-verify', async () => {
      assert.equal(await isEncrypted({ sslmode: 'no-verify' }), true);
    });

    it('verifies even where the environment disables it', async (t) => {
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
      t.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
      for (const sslmode of ['require', 'verify-full']) {
        await assert.rejects(isEncrypted({ sslmode }), isRefused(/SELF_SIGNED/), sslmode);
      }
    });
  });

  it('with an unknown mode or a missing file is refused before anything is sent', async () => {
    for (const [parameters, message] of [
      [{ sslmode: 'verify_full' }, /^sslmode must be one of/],
      [{ ssl: 'yes' }, /^sslmode must be one of/],
      [{ sslrootcert: '/not/there.pem' }, /sslrootcert names \/not\/there\.pem/],
    ] as const) {
      await assert.rejects(
        async () => isEncrypted(parameters),
        (error) => error instanceof BadConnectionString && message.test(error.message),
      );
    }
  });
});

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { BadSealingKeys, readSealingKeys } from './read-sealing-keys.ts';
import { createSealer } from './seal-secret.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kafue-keys-'));
});
after(() => rm(folder, { recursive: true, force: true }));

const text = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

it('creates one key, readable by its owner only, even when many processes start at once', async () => {
  const dataDir = join(folder, 'new', 'data');
  const read = () => readSealingKeys({ dataDir, env: {} });
  const all = await Promise.all([read(), read(), read(), read()]);
  const again = await read();
  for (const keys of all) assert.deepEqual(keys, again);
  assert.equal((await stat(join(dataDir, 'webhook-keys'))).mode & 0o777, 0o600);
});

it('uses a new key at the front of the file, and still opens what the old one sealed', async () => {
  const dataDir = join(folder, 'rotated');
  const sealed = createSealer(await readSealingKeys({ dataDir, env: {} })).seal('secret', 'p');
  const path = join(dataDir, 'webhook-keys');
  await writeFile(path, `${text('next')}\n${await readFile(path, 'utf8')}`);
  const keys = await readSealingKeys({ dataDir, env: {} });
  assert.equal(keys[0]?.id, 'next');
  assert.equal(createSealer(keys).open(sealed, 'p'), 'secret');
});

it('prefers the environment, and then creates no file', async () => {
  const dataDir = join(folder, 'unused');
  const env = { WEBHOOK_SECRET_KEYS: `${text('b')}, ${text('a')}` };
  const keys = await readSealingKeys({ dataDir, env });
  assert.deepEqual(
    keys.map(({ id, key }) => [id, key.length]),
    [
      ['b', 32],
      ['a', 32],
    ],
  );
  await assert.rejects(stat(dataDir), { code: 'ENOENT' });
});

it('explains what is wrong with keys, and repeats none of them', async () => {
  const short = `k:${randomBytes(16).toString('base64')}`;
  for (const bad of [short, 'nonsense', `${text('a')},`, `${text('a')},${text('a')}`]) {
    const reading = readSealingKeys({ dataDir: folder, env: { WEBHOOK_SECRET_KEYS: bad } });
    await assert.rejects(reading, (error: unknown) => {
      assert.ok(error instanceof BadSealingKeys);
      assert.match(error.message, /WEBHOOK_SECRET_KEYS/);
      assert.ok(!error.message.includes(bad.slice(4, 20)), error.message);
      return true;
    });
  }
});

it('does not replace a file that it cannot read', async () => {
  const path = join(folder, 'webhook-keys');
  await writeFile(path, 'torn');
  await chmod(path, 0o600);
  await assert.rejects(readSealingKeys({ dataDir: folder, env: {} }), BadSealingKeys);
  assert.equal(await readFile(path, 'utf8'), 'torn');
});

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { Refusal } from '../domain/refusal.ts';
import {
  ARGON2_PARAMETERS,
  createPasswordHasher,
  HASHES_AT_ONCE_MAX,
  HASHES_WAITING_MAX,
} from './hash-password.ts';

const CHEAP = { memoryKib: 64, passes: 1, parallelism: 1 };
const PASSWORD = 'copper kettle drizzle ninth';
/** Of the reference implementation's own tests. */
const REFERENCE =
  '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';

it('hashes with the parameters of production and finds the password again', async () => {
  assert.ok(ARGON2_PARAMETERS.memoryKib >= 19_456 && ARGON2_PARAMETERS.passes >= 2);
  const passwords = createPasswordHasher({ randomBytes });
  const stored = await passwords.hash(PASSWORD);
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.equal(await passwords.verify(PASSWORD, stored), true);
  assert.equal(await passwords.verify(`${PASSWORD}x`, stored), false);
});

it('reads what the reference implementation wrote, with other parameters', async () => {
  const passwords = createPasswordHasher({ randomBytes }, CHEAP);
  assert.equal(await passwords.verify('password', REFERENCE), true);
  assert.equal(await passwords.verify('Password', REFERENCE), false);
});

it('takes one spelling of a character for another, and never the same salt', async () => {
  const passwords = createPasswordHasher({ randomBytes }, CHEAP);
  const stored = await passwords.hash('cafe\u0301 au lait fin');
  assert.equal(await passwords.verify('caf\u00e9 au lait fin', stored), true);
  assert.notEqual(await passwords.hash(PASSWORD), await passwords.hash(PASSWORD));
});

it('works as long for a person who does not exist', async () => {
  const slow = createPasswordHasher(
    { randomBytes },
    { memoryKib: 65_536, passes: 3, parallelism: 1 },
  );
  const startedMs = performance.now();
  assert.equal(await slow.verify(PASSWORD, undefined), false);
  assert.ok(performance.now() - startedMs > 20, 'nothing was hashed');
});

it('refuses what is past its bound at once, and works on afterwards', async () => {
  const passwords = createPasswordHasher({ randomBytes }, CHEAP);
  const allowed = HASHES_AT_ONCE_MAX + HASHES_WAITING_MAX;
  const all = await Promise.allSettled(
    Array.from({ length: allowed + 7 }, () => passwords.verify(PASSWORD, undefined)),
  );
  const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  assert.equal(refused.length, 7);
  assert.ok(refused.every((error) => error instanceof Refusal && error.code === 'UNAVAILABLE'));
  assert.equal(await passwords.verify('password', REFERENCE), true);
});

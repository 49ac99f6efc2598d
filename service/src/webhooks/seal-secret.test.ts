import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import {
  createSecret,
  endpointSecretPurpose,
  openSecrets,
  type SealedSecrets,
} from './endpoint.ts';
import { createSealer, deriveSealingKeys, SealBroken } from './seal-secret.ts';

const oldKey = { id: 'k1', key: randomBytes(32) };
const newKey = { id: 'k2', key: randomBytes(32) };
const NOW = new Date('2026-11-15T08:00:00.000Z');

it('opens what it sealed, and never seals the same text to the same bytes', () => {
  const sealer = createSealer([newKey]);
  const sealed = sealer.seal('whsec_abc', 'p');
  assert.equal(sealer.open(sealed, 'p'), 'whsec_abc');
  assert.notDeepEqual(sealer.seal('whsec_abc', 'p'), sealed);
  assert.ok(!Buffer.from(sealed).includes('whsec'));
});

it('opens what an older key sealed, as long as that key is available', () => {
  const sealed = createSealer([oldKey]).seal('secret', 'p');
  assert.equal(createSealer([newKey, oldKey]).open(sealed, 'p'), 'secret');
  assert.throws(() => createSealer([newKey]).open(sealed, 'p'), /the key k1, which is not there/);
});

it('refuses to open what was changed, cut or sealed for another purpose', () => {
  const sealer = createSealer([newKey]);
  const sealed = sealer.seal('secret', 'p');
  assert.throws(() => sealer.open(sealed, 'q'), SealBroken);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Uint8Array.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.throws(() => sealer.open(changed, 'p'), SealBroken, `byte ${at}`);
    assert.throws(() => sealer.open(sealed.subarray(0, at), 'p'), SealBroken, `cut at ${at}`);
  }
});

it('signs with both secrets until the overlap ends, and only with secrets of its own row', () => {
  const sealer = createSealer([newKey]);
  const ids = { bookId: 'b', id: 'e' };
  const seal = (text: string) => sealer.seal(text, endpointSecretPurpose(ids));
  const row: SealedSecrets = {
    ...ids,
    secretSealed: seal('new'),
    previousSecretSealed: seal('old'),
    previousSecretUntil: NOW,
  };
  const before = new Date(NOW.getTime() - 1);
  assert.deepEqual(openSecrets(sealer, row, before), ['new', 'old']);
  assert.deepEqual(openSecrets(sealer, row, NOW), ['new']);
  const never = { ...row, previousSecretSealed: null, previousSecretUntil: null };
  assert.deepEqual(openSecrets(sealer, never, before), ['new']);
  assert.throws(() => openSecrets(sealer, { ...row, id: 'other' }, NOW), SealBroken);
});

it('signs with the new secret where the key of the previous one is lost', () => {
  const owner = { bookId: 'book', id: 'endpoint' };
  const seal = (by: typeof oldKey, text: string) =>
    createSealer([by]).seal(text, endpointSecretPurpose(owner));
  const row = {
    ...owner,
    secretSealed: seal(newKey, 'new'),
    previousSecretSealed: seal(oldKey, 'old'),
    previousSecretUntil: NOW,
  };
  const before = new Date(NOW.getTime() - 1);
  assert.deepEqual(openSecrets(createSealer([newKey]), row, before), ['new']);
  assert.throws(() => openSecrets(createSealer([oldKey]), row, before), SealBroken);
});

it('creates secrets in the format of Standard Webhooks', () => {
  const secret = createSecret(randomBytes);
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.equal(Buffer.from(secret.slice(6), 'base64').length, 32);
});

it('derives separate keys for another use, the same at every start', () => {
  const seal = (use: string) => createSealer(deriveSealingKeys([newKey], use));
  const sealed = seal('tokens').seal('secret', 'p');
  assert.equal(seal('tokens').open(sealed, 'p'), 'secret');
  assert.throws(() => createSealer([newKey]).open(sealed, 'p'), SealBroken);
  assert.throws(() => seal('letters').open(sealed, 'p'), SealBroken);
});

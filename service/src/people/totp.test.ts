import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { createRecoveryCode, readRecoveryCode } from './recovery-code.ts';
import { createTotpSecret, findTotpStep, isTotpSecret, totpUri } from './totp.ts';

/** Of RFC 6238, appendix B: the secret, and the last six digits of the codes. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number) => new Date(seconds * 1_000);

it('knows the codes of RFC 6238', () => {
  assert.equal(findTotpStep(SECRET, '287082', at(59)), 1n);
  assert.equal(findTotpStep(SECRET, '081804', at(1_111_111_109)), 37_037_036n);
  assert.equal(findTotpStep(SECRET, '353130', at(20_000_000_000)), 666_666_666n);
});

it('takes a code of one step before and after, and says which step it is', () => {
  for (const seconds of [30, 59, 60, 89, 0, 29]) {
    assert.equal(findTotpStep(SECRET, '287082', at(seconds)), 1n, String(seconds));
  }
  assert.equal(findTotpStep(SECRET, '287082', at(90)), undefined);
  for (const code of ['', '28708', '2870820', '28708x', ' 287082', '２８７０８２']) {
    assert.equal(findTotpStep(SECRET, code, at(59)), undefined, code);
  }
});

it('makes secrets that apps take', () => {
  const secret = createTotpSecret(randomBytes);
  assert.ok(isTotpSecret(secret));
  assert.notEqual(secret, createTotpSecret(randomBytes));
  const uri = new URL(totpUri(secret, 'mutale@example.test'));
  assert.equal(uri.searchParams.get('secret'), secret);
  assert.equal(uri.searchParams.get('issuer'), 'Kafue');
});

it('reads a recovery code however it is typed', () => {
  const code = createRecoveryCode(randomBytes);
  assert.match(code, /^\w{4}-\w{4}-\w{4}-\w{4}$/);
  const hash = readRecoveryCode(code);
  assert.ok(hash !== undefined);
  assert.deepEqual(readRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')}`), hash);
  assert.equal(readRecoveryCode(code.slice(1)), undefined);
  assert.equal(readRecoveryCode('123456'), undefined);
});

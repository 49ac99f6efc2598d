import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type AdminRefusalCode, AdminRefused } from '../../domain/admin-refused.ts';
import { Refusal } from '../../domain/refusal.ts';
import { isStaffRefusal, translateError } from './translate-refusal.ts';

const SOURCES = fileURLToPath(new URL('../..', import.meta.url));

/** Use cases that only the command line calls. */
const COMMAND_LINE_ONLY = [
  'administrators/add-administrator.ts',
  'administrators/authenticate-administrator.ts',
  'administrators/end-key.ts',
  'administrators/remove-administrator.ts',
  'administrators/replace-administrator.ts',
  'resolutions/recall-from-operator.ts',
  'merchants/rotate-key.ts',
];
/** The API knows who calls, and names no transfer by its reference. */
const UNREACHABLE = ['ADMINISTRATOR_NEEDED', 'TRANSFER_AMBIGUOUS'];

it('every refusal of the use cases that the staff call has words of the API', () => {
  const files = globSync(
    '{acts,administrators,merchants,resolutions,transfers,webhooks,people}/**/*.ts',
    { cwd: SOURCES },
  ).filter((name) => !name.endsWith('.test.ts') && !COMMAND_LINE_ONLY.includes(name));
  const codes = files.flatMap((name) => {
    const text = readFileSync(join(SOURCES, name), 'utf8');
    return [...text.matchAll(/AdminRefused\(\s*'([A-Z_]+)'/g)].map(([, code = '']) => code);
  });
  assert.ok(new Set(codes).size > 30, `only ${new Set(codes).size} were found`);
  const without = codes.filter((code) => !isStaffRefusal(code as AdminRefusalCode));
  assert.deepEqual([...new Set(without)].toSorted(), UNREACHABLE);
});

it('says what to do, as a refusal of the request or of its field', () => {
  const expiresAt = new Date('2026-11-15T08:00:00Z');
  const own = translateError(new AdminRefused('PROPOSAL_IS_OWN', { expiresAt }));
  assert.ok(own instanceof Refusal);
  assert.equal(own.code, 'OWN_WORK');
  assert.match(own.message, /another person .* before 2026-11-15T08:00:00.000Z/);
  const name = translateError(new AdminRefused('MERCHANT_EXISTS', { name: 'Demo' }));
  assert.ok(name instanceof Refusal);
  assert.equal(name.detail.fields?.[0]?.code, 'TAKEN');
  const bug = new AdminRefused('OWNER_NEEDED', {});
  assert.equal(translateError(bug), bug);
});

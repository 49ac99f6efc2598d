import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Session } from '../api/types.ts';
import { type OpenBook, rolesNeeded } from './session.ts';

it('names the roles that could act in the mode of the book', () => {
  const session = { staffRoles: [], memberships: [] } as unknown as Session;
  const bookIn = (mode: 'live' | 'test') =>
    ({ id: 'b', mode, roles: ['viewer'], merchant: { id: 'm', name: 'M' } }) as unknown as OpenBook;
  assert.deepEqual(rolesNeeded(session, bookIn('live'), 'payouts:write'), ['owner', 'maker']);
  assert.deepEqual(rolesNeeded(session, bookIn('test'), 'payouts:write'), [
    'owner',
    'maker',
    'developer',
  ]);
  assert.deepEqual(rolesNeeded(session, bookIn('test'), 'keys:write'), ['owner', 'developer']);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scriptRoutes } from '../../../test/fake-route.ts';
import { routeAfter } from './choose-route.ts';

type Standing = 'open' | 'shut' | 'held';

/** What follows the route of this index, in words. */
function after(standings: readonly Standing[], index: number): string {
  const list = scriptRoutes(
    standings.map((standing, number) => ({
      name: String(number),
      isShut: standing === 'shut',
      isHeld: () => standing === 'held',
    })),
  ).routes.all();
  const left = list[index];
  assert.ok(left !== undefined);
  const next = routeAfter(list, left);
  return next === undefined ? 'none' : `${next.route.name} ${next.atOnce ? 'at once' : 'later'}`;
}

describe('what was never sent by a route', () => {
  it('goes by the next open one at once, and after the last one by the first, later', () => {
    assert.equal(after(['open', 'shut', 'open'], 0), '2 at once');
    assert.equal(after(['open', 'open', 'open'], 2), '0 later');
    assert.equal(after(['shut', 'open'], 1), '0 later');
    assert.equal(after(['open'], 0), 'none');
  });

  it('passes over one that a person holds, and which never had it', () => {
    assert.equal(after(['open', 'held', 'open'], 0), '2 at once');
    assert.equal(after(['open', 'held'], 0), 'none');
    assert.equal(after(['held', 'open'], 1), 'none');
    assert.equal(after(['held', 'shut', 'open'], 2), '1 later');
  });

  it('stays where a person holds its own, which may have paid it before a restore', () => {
    assert.equal(after(['held', 'open'], 0), 'none');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RecentMap } from './recent-map.ts';

/** Sets so many entries, one each millisecond. */
function filled(count: number, neededMs: number): RecentMap<number> {
  const map = new RecentMap<number>({ sizeMax: 100, neededMs });
  for (let at = 0; at < count; at += 1) map.set(`key ${at}`, at, at);
  return map;
}

const remembered = (map: RecentMap<number>, count: number) =>
  Array.from({ length: count }, (_, at) => map.get(`key ${at}`)).filter((at) => at !== undefined);

describe('a map of what is recent', () => {
  it('never has more entries than it may, and keeps the newest', () => {
    const kept = remembered(filled(1_000, 10), 1_000);
    assert.ok(kept.length <= 100 && kept.length >= 50);
    assert.equal(kept.at(-1), 999);
    assert.equal(kept.length, 1_000 - (kept[0] ?? 0));
  });

  it('says when something was dropped that may be needed, and only then', () => {
    assert.equal(filled(99, 1_000).hasForgotten, false);
    assert.equal(filled(1_000, 40).hasForgotten, false);
    assert.equal(filled(1_000, 60).hasForgotten, true);
  });

  it('gives the newer of two values', () => {
    const map = filled(50, 10);
    map.set('key 7', 70, 50);
    assert.equal(map.get('key 7'), 70);
  });
});

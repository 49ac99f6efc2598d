import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { createUuidV7Source, parseUuid } from './uuid.ts';

const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function timestampMsOf(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

describe('parseUuid', () => {
  it('accepts any version in any case and returns lower case', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        assert.equal(parseUuid(uuid), uuid);
        assert.equal(parseUuid(uuid.toUpperCase()), uuid);
      }),
    );
    assert.ok(parseUuid('00000000-0000-0000-0000-000000000000') !== undefined);
  });

  it('refuses every other spelling', () => {
    const uuid = '0190a3c2-7d1e-7c3a-9b1f-2f6d3c1e5a77';
    const others = [` ${uuid}`, `${uuid}\n`, `{${uuid}}`, `urn:uuid:${uuid}`, uuid.slice(1), ''];
    for (const text of [...others, uuid.replaceAll('-', ''), uuid.replace('0', 'g')]) {
      assert.equal(parseUuid(text), undefined, text);
    }
  });
});

describe('createUuidV7Source', () => {
  it('makes well-formed UUIDs that carry the time', () => {
    const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
    const nextUuid = createUuidV7Source(() => nowMs, randomFillSync);
    for (let count = 0; count < 1000; count += 1) {
      const uuid = nextUuid();
      assert.match(uuid, V7);
      assert.equal(timestampMsOf(uuid), nowMs);
    }
  });

  it('only increases, also when the clock is set back', () => {
    const anyClock = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(anyClock, (times) => {
        let call = 0;
        const nextUuid = createUuidV7Source(
          () => times[call++ % times.length] ?? 0,
          randomFillSync,
        );
        let last = '';
        for (let count = 0; count < 200; count += 1) {
          const uuid = nextUuid();
          assert.ok(uuid > last);
          last = uuid;
        }
      }),
    );
  });

  it('keeps the last time while the clock is behind it', () => {
    const times = [1000, 10, 20, 30, 999];
    const nextUuid = createUuidV7Source(() => times.shift() ?? 0, randomFillSync);
    for (let count = 0; count < 10; count += 1) assert.equal(timestampMsOf(nextUuid()), 1000);
  });

  it('runs ahead of a stopped clock instead of repeating or decreasing', () => {
    const nextUuid = createUuidV7Source(() => 1000, randomFillSync);
    const count = 20_000;
    const uuids = Array.from({ length: count }, nextUuid);
    assert.equal(new Set(uuids).size, count);
    assert.deepEqual(uuids.toSorted(), uuids);
    assert.ok(timestampMsOf(uuids.at(-1) ?? '') > 1000);
  });

  it('uses fresh randomness for every id, so that ids cannot be guessed', () => {
    let filled = 0;
    const nextUuid = createUuidV7Source(
      () => 1000,
      (bytes) => {
        for (let index = 0; index < bytes.length; index += 1) bytes[index] = (filled + index) % 251;
        filled += bytes.length;
      },
    );
    const tails = Array.from({ length: 200 }, () => nextUuid().slice(19));
    assert.equal(new Set(tails).size, 200);
  });

  it('accepts the largest time and refuses one beyond it', () => {
    const largest = createUuidV7Source(() => 2 ** 48 - 1, randomFillSync)();
    assert.ok(largest.startsWith('ffffffff-ffff-7'));
    assert.throws(
      createUuidV7Source(() => 2 ** 48, randomFillSync),
      RangeError,
    );
    assert.throws(
      createUuidV7Source(() => Number.NaN, randomFillSync),
      RangeError,
    );
  });
});

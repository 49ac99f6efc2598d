import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { createChooser, type Seed } from './choose-behaviour.ts';
import { isPresetName, PRESETS, type PresetName } from './presets.ts';

const PRESET_NAMES = Object.keys(PRESETS).filter(isPresetName);

function draw(seed: Seed, msisdns: readonly string[]): string[] {
  const chooser = createChooser();
  chooser.setSeed(seed);
  return msisdns.map((msisdn) => chooser.choose(msisdn).name);
}

describe('choosing a behaviour', () => {
  it('is ok by default', () => {
    const choice = createChooser().choose('260966000001');
    assert.deepEqual(choice, { name: 'ok', behaviour: PRESETS.ok, source: 'default' });
  });

  it('takes the first matching rule', () => {
    const chooser = createChooser();
    chooser.setRules([
      { match: { msisdn: '260966000001' }, preset: 'reject' },
      { match: { msisdnEndsIn: '01' }, preset: 'lost' },
      { match: {}, preset: 'slow' },
    ]);
    assert.equal(chooser.choose('260966000001').name, 'reject');
    assert.equal(chooser.choose('260966000101').name, 'lost');
    assert.equal(chooser.choose('260966000002').name, 'slow');
  });

  it('requires both parts of a match', () => {
    const chooser = createChooser();
    chooser.setRules([{ match: { msisdn: '1', msisdnEndsIn: '2' }, preset: 'lost' }]);
    assert.equal(chooser.choose('1').name, 'ok');
  });

  it('applies a rule only the given number of times', () => {
    const chooser = createChooser();
    chooser.setRules([{ match: {}, preset: 'reject', times: 2 }]);
    const names = ['1', '2', '1', '2'].map((msisdn) => chooser.choose(msisdn).name);
    assert.deepEqual(names, ['reject', 'reject', 'ok', 'ok']);
  });

  it('overrides single members of a preset', () => {
    const chooser = createChooser();
    chooser.setRules([{ match: {}, preset: 'reject', behaviour: { pendingMs: 7 } }]);
    const { name, behaviour } = chooser.choose('1');
    assert.equal(name, 'custom');
    assert.deepEqual(behaviour, { ...PRESETS.reject, pendingMs: 7 });
  });

  it('draws the same for the same seed, number and count, independent of other numbers', () => {
    const seeds = fc.record({
      seed: fc.nat(),
      mix: fc
        .dictionary(fc.constantFrom(...PRESET_NAMES), fc.integer({ min: 1, max: 9 }), {
          minKeys: 1,
        })
        .map((mix) => mix as Partial<Record<PresetName, number>>),
    });
    const msisdns = fc.array(fc.constantFrom('1', '2', '3'), { maxLength: 30 });
    fc.assert(
      fc.property(seeds, msisdns, (seed, order) => {
        const ofFirst = draw(seed, order).filter((_, index) => order[index] === '1');
        assert.deepEqual(
          draw(
            seed,
            Array.from(ofFirst, () => '1'),
          ),
          ofFirst,
        );
        const turned = { ...seed, mix: Object.fromEntries(Object.entries(seed.mix).toReversed()) };
        assert.deepEqual(draw(turned, order), draw(seed, order));
        for (const name of draw(seed, order)) assert.ok(Object.hasOwn(seed.mix, name));
      }),
    );
  });

  it('draws by weight', () => {
    const numbers = Array.from({ length: 4_000 }, (_, index) => String(index));
    const names = draw({ seed: 7, mix: { ok: 3, reject: 1, lost: 0 } }, numbers);
    const rejected = names.filter((name) => name === 'reject').length;
    // The seed decides the count, so this assertion is deterministic.
    assert.ok(rejected > 900 && rejected < 1_100, `${rejected} of 4000`);
    assert.ok(!names.includes('lost'));
  });

  it('draws another sequence for another seed', () => {
    const numbers = Array.from({ length: 50 }, (_, index) => String(index));
    const mix = { ok: 1, reject: 1 };
    assert.notDeepEqual(draw({ seed: 1, mix }, numbers), draw({ seed: 2, mix }, numbers));
  });

  it('continues the sequence of a seed after an earlier run', () => {
    const seed: Seed = { seed: 11, mix: { ok: 1, reject: 1, lost: 1 } };
    const whole = draw(
      seed,
      Array.from({ length: 20 }, () => '1'),
    );
    const later = createChooser();
    later.setSeed(seed);
    for (let payout = 0; payout < 10; payout += 1) later.countEarlier('1');
    assert.deepEqual(
      Array.from({ length: 10 }, () => later.choose('1').name),
      whole.slice(10),
    );
  });

  it('refuses an empty mix', () => {
    assert.throws(() => createChooser().setSeed({ seed: 1, mix: {} }), /empty/);
  });
});

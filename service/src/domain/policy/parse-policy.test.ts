import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { parsePolicy } from './parse-policy.ts';
import { RULES_MAX } from './policy.ts';

const RULE = { name: 'one', when: {}, require: { refuse: true } };

/** What is wrong, as `path CODE`. */
function problems(document: unknown): readonly string[] {
  const parsed = parsePolicy(document);
  if (parsed.isValid) return [];
  assert.ok(parsed.problems.every(({ message }) => /^[A-Z].*\.$/.test(message)));
  return parsed.problems.map(({ field, code }) => `${field} ${code}`.trim());
}

const whenProblems = (when: unknown) => problems({ rules: [{ ...RULE, when }] });
const requireProblems = (require: unknown) => problems({ rules: [{ ...RULE, require }] });

describe('a document', () => {
  it('needs nothing but rules, of which there may be none', () => {
    const parsed = parsePolicy({ rules: [] });
    assert.ok(parsed.isValid);
    assert.deepEqual(parsed.policy, {
      sendLateWithinMs: 24 * 3_600_000,
      approvalExpiresAfterMs: 7 * 24 * 3_600_000,
      rules: [],
    });
  });

  it('is an object with known members', () => {
    for (const document of [null, [], 'rules', 7]) assert.equal(problems(document).length, 1);
    assert.deepEqual(problems({}), ['rules REQUIRED']);
    assert.deepEqual(problems({ rules: {}, Rules: [] }), [
      'Rules UNKNOWN_FIELD',
      'rules INVALID_POLICY',
    ]);
    assert.deepEqual(problems(JSON.parse('{"rules":[],"__proto__":{}}')), [
      '__proto__ UNKNOWN_FIELD',
    ]);
  });

  it('has at most 200 rules, each with a name of its own', () => {
    const rules = Array.from({ length: RULES_MAX + 1 }, (_, index) => ({
      ...RULE,
      name: `${index}`,
    }));
    assert.deepEqual(problems({ rules }), ['rules INVALID_POLICY']);
    assert.deepEqual(problems({ rules: rules.slice(1) }), []);
    assert.deepEqual(problems({ rules: [RULE, RULE, { ...RULE, name: 'two' }, RULE] }), [
      'rules.1.name INVALID_POLICY',
      'rules.3.name INVALID_POLICY',
    ]);
  });

  it('has rules whose names people can read', () => {
    const nameProblems = (name: unknown) => problems({ rules: [{ ...RULE, name }] });
    for (const name of ['', ' a', 'a ', 'a\u0000', 'a\u202eb', 7, null, 'x'.repeat(61)]) {
      assert.deepEqual(nameProblems(name), ['rules.0.name INVALID_POLICY'], String(name));
    }
    assert.deepEqual(nameProblems('😀'.repeat(60)), []);
  });

  it('tells what is missing in a rule', () => {
    assert.deepEqual(problems({ rules: [{}, null] }), [
      'rules.0.name REQUIRED',
      'rules.0.when REQUIRED',
      'rules.0.require REQUIRED',
      'rules.1 INVALID_POLICY',
    ]);
    assert.deepEqual(problems({ rules: [{ ...RULE, when: null, require: null }] }), [
      'rules.0.when INVALID_POLICY',
      'rules.0.require INVALID_POLICY',
    ]);
  });

  it('tells at most 50 problems', () => {
    assert.equal(problems({ rules: Array.from({ length: 200 }, () => ({})) }).length, 50);
  });
});

describe('durations', () => {
  const late = (sendLateWithin: unknown) => {
    const parsed = parsePolicy({ sendLateWithin, rules: [] });
    return parsed.isValid ? parsed.policy.sendLateWithinMs / 1_000 : undefined;
  };

  it('are whole weeks, days, hours, minutes and seconds', () => {
    for (const [text, seconds] of [
      ['PT1S', 1],
      ['PT90M', 5_400],
      ['PT24H', 86_400],
      ['P7D', 604_800],
      ['P2W', 1_209_600],
      ['P1DT2H3M4S', 93_784],
      ['P90D', 7_776_000],
    ] as const) {
      assert.equal(late(text), seconds, text);
    }
  });

  it('have bounds, and no months, fractions or signs', () => {
    for (const text of [
      'PT0S',
      'P0D',
      'P90DT1S',
      'P1Y',
      'P1M',
      'PT1.5H',
      '-PT1H',
      'P',
      'PT',
      'P1DT',
      'P1W2D',
      'pt1h',
      'PT1H ',
      'PT1M1H',
      '3600',
      3_600,
      null,
      'PT99999999999999S',
    ]) {
      assert.equal(late(text), undefined, String(text));
    }
  });
});

describe('amounts', () => {
  it('are decimal text and exact', () => {
    for (const text of ['0.01', '5000', '5000.5', '1000000000.00']) {
      assert.deepEqual(whenProblems({ amountAtLeast: text }), [], text);
    }
    for (const text of [
      '0',
      '0.00',
      '0.001',
      '1.000',
      '-1',
      '1e3',
      ' 1',
      '1,000.00',
      '1000000000.01',
      5_000,
      null,
    ]) {
      assert.deepEqual(whenProblems({ amountAtLeast: text }), [
        'rules.0.when.amountAtLeast INVALID_POLICY',
      ]);
    }
  });

  it('leave some amount between them', () => {
    assert.deepEqual(whenProblems({ amountAtLeast: '5.00', amountBelow: '5.01' }), []);
    assert.deepEqual(whenProblems({ amountAtLeast: '5.00', amountBelow: '5.00' }), [
      'rules.0.when.amountBelow INVALID_POLICY',
    ]);
  });
});

describe('conditions', () => {
  it('of a window have a subject, a limit, and either a day or a time', () => {
    const sum = { by: 'wallet', day: true, above: '1.00' };
    assert.deepEqual(whenProblems({ sum }), []);
    assert.deepEqual(whenProblems({ sum: { ...sum, window: 'PT1H' } }), [
      'rules.0.when.sum.window INVALID_POLICY',
    ]);
    assert.deepEqual(whenProblems({ sum: { ...sum, day: false } }), [
      'rules.0.when.sum.day INVALID_POLICY',
    ]);
    assert.deepEqual(whenProblems({ count: {} }), [
      'rules.0.when.count.by REQUIRED',
      'rules.0.when.count.window REQUIRED',
      'rules.0.when.count.above REQUIRED',
    ]);
    for (const above of [-1, 1.5, '3', 1_000_001, Number.NaN]) {
      assert.deepEqual(whenProblems({ count: { by: 'key', window: 'PT1H', above } }), [
        'rules.0.when.count.above INVALID_POLICY',
      ]);
    }
  });

  it('with lists want known words, each once', () => {
    for (const [name, words] of [
      ['source', ['api', 'file', 'console', 'schedule']],
      ['operator', ['mtn']],
      ['country', ['zm', 'ng']],
      ['nameMatch', ['match', 'close', 'mismatch', 'unknown']],
      ['wallet', ['019b7e1c-0000-7000-8000-000000000001']],
      ['key', ['019b7e1c-0000-7000-8000-000000000001']],
    ] as const) {
      assert.deepEqual(whenProblems({ [name]: words }), []);
      for (const broken of [[], words[0], ['moon'], [...words, words[0]], [null], {}]) {
        assert.deepEqual(whenProblems({ [name]: broken }), [`rules.0.when.${name} INVALID_POLICY`]);
      }
    }
  });

  it('on hours want a known zone, days and two times', () => {
    const hours = { zone: 'Africa/Lusaka', from: '18:00', to: '06:00' };
    const broken = (changes: object) => whenProblems({ hours: { ...hours, ...changes } });
    assert.deepEqual(broken({}), []);
    assert.deepEqual(broken({ from: '00:00', to: '24:00' }), []);
    for (const zone of ['Lusaka', '+02:00', 'UTC+2', '', 7]) {
      assert.deepEqual(broken({ zone }), ['rules.0.when.hours.zone INVALID_POLICY'], String(zone));
    }
    for (const from of ['24:00', '6:00', '18:60', '18', 18]) {
      assert.deepEqual(broken({ from }), ['rules.0.when.hours.from INVALID_POLICY'], String(from));
    }
    assert.deepEqual(broken({ to: '18:00' }), ['rules.0.when.hours.to INVALID_POLICY']);
    assert.deepEqual(broken({ days: ['Sat'] }), ['rules.0.when.hours.days INVALID_POLICY']);
    assert.deepEqual(broken({ until: '1' }), ['rules.0.when.hours.until UNKNOWN_FIELD']);
  });

  it('on metadata want keys and texts as transfers have them', () => {
    assert.deepEqual(whenProblems({ metadata: { team: 'payroll', 'a.b': ['x', 'y'] } }), []);
    for (const metadata of [
      {},
      [],
      { 'a b': 'x' },
      { a: 7 },
      { a: [] },
      { a: ['x', 'x'] },
      { a: 'x'.repeat(201) },
    ]) {
      assert.deepEqual(whenProblems({ metadata }), ['rules.0.when.metadata INVALID_POLICY']);
    }
  });
});

describe('requirements', () => {
  it('ask for something, and a refusal for nothing else', () => {
    assert.deepEqual(requireProblems({}), ['rules.0.require INVALID_POLICY']);
    assert.deepEqual(requireProblems({ refuse: false }), ['rules.0.require.refuse INVALID_POLICY']);
    assert.deepEqual(requireProblems({ refuse: true, warn: true }), [
      'rules.0.require.refuse INVALID_POLICY',
    ]);
    assert.deepEqual(requireProblems({ warn: true, screen: 'a', approvals: 1, of: ['owner'] }), []);
  });

  it('of approvals name a number and roles that can approve', () => {
    assert.deepEqual(requireProblems({ approvals: 1 }), ['rules.0.require.of REQUIRED']);
    assert.deepEqual(requireProblems({ of: ['owner'] }), ['rules.0.require.approvals REQUIRED']);
    for (const approvals of [0, 11, 1.5, '1', null]) {
      assert.deepEqual(requireProblems({ approvals, of: ['owner'] }), [
        'rules.0.require.approvals INVALID_POLICY',
      ]);
    }
    assert.deepEqual(requireProblems({ approvals: 1, of: ['maker'] }), [
      'rules.0.require.of INVALID_POLICY',
    ]);
  });

  it('of a screener name it', () => {
    for (const screen of ['', 'a b', true, 'x'.repeat(61)]) {
      assert.deepEqual(requireProblems({ screen }), ['rules.0.require.screen INVALID_POLICY']);
    }
  });
});

it('never throws, and finds a problem in what is no policy', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.ok(problems({ rules: [value] }).length > 0);
      problems(value);
      whenProblems(value);
      requireProblems(value);
    }),
  );
});

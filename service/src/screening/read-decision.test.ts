import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDecision } from './read-decision.ts';

const answered = (answer: string, status = 200) =>
  readDecision({ kind: 'answered', status, answer });

describe('the answer of a screener', () => {
  it('is one of three decisions, with a reason or without', () => {
    assert.deepEqual(answered('{"decision":"allow"}'), { decision: 'allow', reason: null });
    assert.deepEqual(answered(' {"reason":"score 91","decision":"refuse"}\n'), {
      decision: 'refuse',
      reason: 'score 91',
    });
    assert.deepEqual(answered('{"decision":"hold","reason":null,"score":{"decision":"x"}}'), {
      decision: 'hold',
      reason: null,
    });
  });

  it('holds when it is anything else', () => {
    const others = [
      '',
      'allow',
      '"allow"',
      'null',
      '[]',
      '[{"decision":"allow"}]',
      '{}',
      '{"decision":"Allow"}',
      '{"decision":true}',
      '{"decision":["allow"]}',
      '{"Decision":"allow"}',
      '{"data":{"decision":"allow"}}',
      '{"decision":"allow","reason":5}',
      '{"decision":"allow"}{"decision":"refuse"}',
      '{"decision":"allow"',
      '{"decision":"allow",}',
      '<html>allow</html>',
      '{"__proto__":{"decision":"allow"}}',
    ];
    for (const other of others) assert.equal(answered(other).decision, 'hold', other);
    for (const status of [100, 201, 202, 204, 301, 302, 400, 404, 500, 503]) {
      assert.equal(answered('{"decision":"allow"}', status).decision, 'hold', String(status));
    }
    const none = readDecision({ kind: 'unanswered', error: 'no answer within 5 s' });
    assert.deepEqual(none, { decision: 'hold', reason: 'no answer within 5 s' });
  });

  it('holds when it says two things, however the second is spelt', () => {
    const twice = [
      '{"decision":"refuse","decision":"allow"}',
      '{"decision":"refuse","x":{"a":[1,{"b":2}]},"decision":"allow"}',
      '{"decision":"refuse","\\u0064ecision":"allow"}',
      '{"decision":"refuse" , "decision" : "allow"}',
    ];
    for (const text of twice) assert.equal(answered(text).decision, 'hold', text);
    const once =
      '{"decision":"allow","reason":"\\"decision\\":\\"refuse\\",","d":["decision","decision"]}';
    assert.equal(answered(once).decision, 'allow');
  });

  it('has a reason that can be stored and shown', () => {
    const dirty = answered('{"decision":"hold","reason":"a\\u0000b\\u202ec\\ud800"}');
    assert.equal(dirty.reason, 'a b c\ufffd');
    const long = answered(JSON.stringify({ decision: 'allow', reason: '😀'.repeat(2_000) }));
    assert.equal(Array.from(long.reason ?? '').length, 500);
    assert.equal(answered('{"decision":"allow","reason":"  "}').reason, null);
  });
});

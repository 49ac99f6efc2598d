import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { json, startMtn } from '../../../test/fakes/fake-mtn.ts';
import type { FakeAnswer } from '../../../test/fakes/fake-server.ts';

describe('a name at MTN', () => {
  const ACCOUNT = { phone: '+260966123456', operator: 'mtn', country: 'zm' } as const;
  const INFO = {
    sub: '0',
    name: 'X Y',
    given_name: ' Sand',
    family_name: 'Box ',
    birthdate: '1976-08-13',
  };
  const NOT_FOUND = json(404, { code: 'RESOURCE_NOT_FOUND', message: 'x' });

  async function nameFrom(
    t: TestContext,
    answers: Readonly<{ basicuserinfo: FakeAnswer; active?: FakeAnswer }>,
  ) {
    const { mtn, paths } = await startMtn(t, ({ path }) =>
      path.endsWith('/active') ? (answers.active ?? { status: 500 }) : answers.basicuserinfo,
    );
    const answer = await mtn.resolveName(ACCOUNT, { waitedMs: 0 });
    return { answer, asked: paths().length - 1 };
  }

  it('is the given and the family name', async (t) => {
    const { answer, asked } = await nameFrom(t, { basicuserinfo: json(200, INFO) });
    assert.deepEqual(answer, { kind: 'resolved', accountName: 'Sand Box' });
    assert.equal(asked, 1);
    const half = await nameFrom(t, { basicuserinfo: json(200, { given_name: 'Sand' }) });
    assert.deepEqual(half.answer, { kind: 'resolved', accountName: 'Sand' });
  });

  it('is "no account" if the holder is unknown or not active', async (t) => {
    for (const active of [NOT_FOUND, json(200, { result: false })]) {
      for (const basicuserinfo of [NOT_FOUND, json(500, {}), json(200, {})]) {
        const { answer } = await nameFrom(t, { basicuserinfo, active });
        assert.deepEqual(answer, { kind: 'noAccount' });
      }
    }
  });

  it('is unreachable if the holder is active or there is no answer about it', async (t) => {
    const actives = [json(200, { result: true }), json(200, {}), json(503, {}), { status: 404 }];
    for (const active of actives) {
      const { answer, asked } = await nameFrom(t, { basicuserinfo: NOT_FOUND, active });
      assert.deepEqual([answer.kind, asked], ['unreachable', 2]);
    }
    for (const basicuserinfo of ['reset', { status: 403 }, { status: 429 }] as const) {
      const { answer, asked } = await nameFrom(t, { basicuserinfo, active: NOT_FOUND });
      assert.deepEqual([answer.kind, asked], ['unreachable', 1]);
    }
  });
});

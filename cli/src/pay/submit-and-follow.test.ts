import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PayoutFile } from '../../../sdk/src/index.ts';
import { fakeKafue, payoutOf, transferOf } from '../../test/fake-kafue.ts';
import { type LineOutcome, waitingIn } from './line-outcome.ts';
import type { PlannedLine } from './plan-payouts.ts';
import { submitAndFollow } from './submit-and-follow.ts';

/** What a file says of the row of the reference `x`: status and code. */
type Row = readonly [status: string, code?: string];
type File = Readonly<{ id: string; x: Row | undefined }>;

const PAID: Row = ['successful'];
const WAITING: Row = ['waiting'];
const SHORT: Row = ['refused', 'INSUFFICIENT_BALANCE'];
const DENIED: Row = ['refused', 'RECIPIENT_DENIED'];

function fileOf(id: string, state: PayoutFile['state'] = 'done'): PayoutFile {
  const counts = { rows: 1, dropped: 0, created: 1, refused: 0, succeeded: 1 };
  const at = '2026-11-15T08:00:00.000Z';
  return { id, name: id, state, version: 2, counts, submittedAt: at, createdAt: at } as never;
}

/** Every file has a row of its own name too, which is paid. */
function resultsOf({ id, x }: File): string {
  const rows = [`1,${id},${id},0.50,successful,,id-${id}`];
  if (x !== undefined) rows.push(`2,,x,0.50,${x[0]},${x[1] ?? ''},id-x`);
  return ['row,reference,yourReference,fee,status,code,transferId', ...rows, ''].join('\r\n');
}

/** Follows the files, and shows what became of the line `x`, which this run uploads in `own` or which waits in a file. */
async function follow(
  files: readonly File[],
  { own, waitsIn }: Readonly<{ own?: File | 'lost' | 'forbidden'; waitsIn?: string }>,
): Promise<string> {
  const known = own === undefined || typeof own === 'string' ? files : [own, ...files];
  const { kafue } = fakeKafue(({ method, path, references }) => {
    const [, id = '', what] = path.split('/');
    if (method === 'POST') {
      if (own === 'lost') throw new Error('the line is lost');
      if (own === 'forbidden') return { status: 422, data: { error: { code: 'POLICY_REFUSED' } } };
      return { status: 200, data: fileOf(id) };
    }
    const items = references.map((name) => transferOf(name, { status: 'successful' }));
    if (path === 'transfers') return { status: 200, data: { items, nextCursor: null } };
    const file = known.find((one) => one.id === id) ?? assert.fail(`${method} ${path}`);
    return what === 'results' ? { csv: resultsOf(file) } : { status: 200, data: fileOf(id) };
  });
  const waiting = (id: string): LineOutcome => waitingIn(fileOf(id, 'paying'));
  const x = payoutOf('x');
  const planned: PlannedLine[] = [
    { payout: x, outcome: waitsIn === undefined ? undefined : waiting(waitsIn) },
    ...files.map(({ id }) => ({ payout: payoutOf(id), outcome: waiting(id) })),
  ];
  const deps = {
    kafue,
    writeError: () => undefined,
    isTerminal: { input: false, error: false },
    now: () => 0,
    pause: async () => undefined,
    stop: new AbortController().signal,
  };
  const uploaded =
    own === undefined ? [] : [{ file: fileOf('own', 'draft'), payouts: [payoutOf('x')] }];
  const rules = { payAt: undefined, watchMs: 1, toTheEnd: false };
  const { lines } = await submitAndFollow(deps, planned, { uploaded, rules });
  const outcome = lines[0]?.outcome ?? assert.fail();
  return 'transfer' in outcome
    ? `${outcome.kind} ${outcome.transfer.status}`
    : `${outcome.kind} ${outcome.code}`;
}

describe('submitAndFollow', () => {
  it('says of a line that it was paid, although a file before refused it', async () => {
    for (const before of [SHORT, WAITING, ['dropped'] as const]) {
      const files = [{ id: 'old', x: before }];
      assert.equal(await follow(files, { own: { id: 'own', x: PAID } }), 'accepted successful');
    }
    for (const ids of [
      ['f', 'g'],
      ['g', 'f'],
    ]) {
      const files = ids.map((id) => ({ id, x: id === 'f' ? PAID : SHORT }));
      for (const waitsIn of ids) {
        assert.equal(await follow(files, { waitsIn }), 'already_sent successful');
      }
      assert.equal(
        await follow(files, { own: { id: 'own', x: ['refused', 'ALREADY_SENT'] } }),
        'already_sent successful',
      );
    }
  });

  it('does not call a line refused that waits in another file, or may be in one', async () => {
    const files = [{ id: 'old', x: SHORT }];
    assert.equal(await follow(files, { own: { id: 'own', x: WAITING } }), 'waiting DONE');
    assert.equal(await follow(files, { own: 'lost' }), 'unknown CONNECTION_FAILED');
    const both = [...files, { id: 'new', x: WAITING }];
    for (const order of [both, both.toReversed()]) {
      assert.equal(await follow(order, { waitsIn: 'old' }), 'waiting DONE');
    }
  });

  it('shows of two refusals that of the file in which the line is now', async () => {
    const files = [
      { id: 'f', x: SHORT },
      { id: 'g', x: DENIED },
    ];
    for (const order of [files, files.toReversed()]) {
      assert.equal(await follow(order, { waitsIn: 'f' }), 'refused INSUFFICIENT_BALANCE');
      assert.equal(await follow(order, { waitsIn: 'g' }), 'refused RECIPIENT_DENIED');
      const own = { id: 'own', x: ['refused', 'LIMIT_EXCEEDED'] as const };
      assert.equal(await follow(order, { own }), 'refused LIMIT_EXCEEDED');
      assert.equal(await follow(order, { own: 'forbidden' }), 'refused POLICY_REFUSED');
    }
    const dropped = [{ id: 'old', x: ['dropped'] as const }];
    assert.equal(
      await follow(dropped, { own: { id: 'own', x: DENIED } }),
      'refused RECIPIENT_DENIED',
    );
  });

  /** Submits a draft of the line `x` that is refused, because its file is now as given. */
  async function submitRefused(code: string, now: PayoutFile) {
    const calls: string[] = [];
    const { kafue } = fakeKafue(({ method, path }) => {
      calls.push(`${method} ${path}`);
      if (method === 'POST') return { status: 409, data: { error: { code } } };
      if (path.endsWith('/results')) return { csv: resultsOf({ id: 'own', x: PAID }) };
      return { status: 200, data: now };
    });
    const deps = {
      kafue,
      writeError: () => undefined,
      isTerminal: { input: false, error: false },
      now: () => 0,
      pause: async () => undefined,
      stop: new AbortController().signal,
    };
    const planned = [{ payout: payoutOf('x'), outcome: undefined }];
    const uploaded = [{ file: fileOf('own', 'draft'), payouts: [payoutOf('x')] }];
    const rules = { payAt: undefined, watchMs: 1, toTheEnd: false };
    const { lines, files } = await submitAndFollow(deps, planned, { uploaded, rules });
    const outcome = lines[0]?.outcome ?? assert.fail();
    return { outcome, files, isDeleted: calls.includes('DELETE payout-files/own') };
  }

  it('follows a draft that another run submitted meanwhile, and does not call its lines refused', async () => {
    for (const code of ['INVALID_STATE', 'CONTENT_CHANGED']) {
      const { outcome, files, isDeleted } = await submitRefused(code, fileOf('own', 'done'));
      assert.equal(outcome.kind, 'already_sent', code);
      assert.deepEqual([files.map(({ id }) => id), isDeleted], [['own'], false]);
    }
  });

  it('keeps a draft that a person changed, and says that it may be paid once they submitted it', async () => {
    const draft = { ...fileOf('own', 'draft'), version: 3 };
    const kept = await submitRefused('CONTENT_CHANGED', draft);
    assert.deepEqual([kept.outcome.kind, kept.isDeleted], ['refused', false]);
    assert.ok('message' in kept.outcome);
    assert.match(kept.outcome.message, /A person changed .*own \(own\).*in the console/);
    const paying = { ...fileOf('own', 'paying'), version: 3 };
    const { outcome, isDeleted } = await submitRefused('CONTENT_CHANGED', paying);
    assert.deepEqual([outcome.kind, isDeleted], ['unknown', false]);
  });
});

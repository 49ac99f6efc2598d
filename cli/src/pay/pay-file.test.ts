import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { transferOf } from '../../test/fake-kafue.ts';
import { runHere } from '../../test/run-here.ts';
import { startKafue } from '../../test/run-kafue.ts';
import {
  countsOf,
  fileOf,
  resultsOf,
  rowOf,
  type Script,
  startScripted,
  WALLET,
} from '../../test/scripted-service.ts';

const OWN = 'phone,amount,reference\n0977433571,10,a\n';
const DERIVED = 'phone,amount\n0977433571,10\n';
const DRAFT = fileOf('draft', 'draft');
const DONE = fileOf('draft', 'done', { counts: countsOf({ created: 1, succeeded: 1 }) });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kafue-cli-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Pays the file before a service that answers as the script says, and else takes and pays the upload. */
async function pay(content: string, args: readonly string[], script: Script = () => undefined) {
  const service = await startScripted((method, path, query) => {
    const answer = script(method, path, query);
    if (answer !== undefined) return answer;
    if (method === 'POST' && path === 'payout-files') return DRAFT;
    if (path === 'payout-files/draft/submit') return DONE;
    if (path === 'payout-files/draft/results') return resultsOf(['a', 'successful']);
    return path === 'payout-files/draft' ? DRAFT : undefined;
  });
  try {
    await writeFile(join(folder, 'pay.csv'), content);
    const env = { KAFUE_API_KEY: `sk_test_${'a'.repeat(30)}`, KAFUE_URL: service.baseUrl };
    const argv = ['pay', 'pay.csv', '--wallet', WALLET, '--yes', ...args];
    const run = await runHere(argv, { env, folder });
    const isSubmitted = service.calls.some((call) => call.endsWith('/submit'));
    return { ...run, isSubmitted, calls: service.calls };
  } finally {
    await service.end();
  }
}

/** The list of payout files in a state. */
function listOf(file: ReturnType<typeof fileOf>, rows: readonly object[]): Script {
  return (method, path, query) => {
    if (method === 'GET' && path === 'payout-files') {
      return { items: query.get('state') === file.state ? [file] : [], nextCursor: null };
    }
    if (path === `payout-files/${file.id}/rows`) {
      const state = query.get('state');
      const items = rows.filter((row) => Reflect.get(row, 'state') === state);
      return { items, nextCursor: null };
    }
    return path === `payout-files/${file.id}` ? file : undefined;
  };
}

/** The first upload finds a file that was cancelled. */
function uploadFinds(endedAs: string): Script {
  let uploads = 0;
  return (method, path) => {
    if (method !== 'POST' || path !== 'payout-files') return undefined;
    uploads += 1;
    return uploads === 1 ? fileOf('old', 'cancelled', { endedAs }) : DRAFT;
  };
}

describe('kafue pay, where a person has decided against the lines', () => {
  it('stops when their payout file was cancelled or rejected, unless told to pay all the same', async () => {
    for (const [endedAs, verb] of [
      ['CANCELLED', 'cancelled'],
      ['APPROVAL_RECALLED', 'cancelled'],
      ['APPROVAL_REJECTED', 'rejected'],
    ] as const) {
      const { code, error, isSubmitted } = await pay(OWN, [], uploadFinds(endedAs));
      assert.deepEqual([code, isSubmitted], [1, false], endedAs);
      assert.match(error, new RegExp(`A person ${verb} .*old\\.csv \\(old\\).*Nothing was sent`));
      assert.match(error, /--allow-cancelled/);
      const allowed = await pay(OWN, ['--allow-cancelled'], uploadFinds(endedAs));
      assert.deepEqual([allowed.code, allowed.isSubmitted], [0, true], allowed.error);
    }
    // No person decided.
    assert.equal((await pay(OWN, [], uploadFinds('APPROVAL_EXPIRED'))).code, 0);
  });

  it('stops also when the rest of a file is uploaded that was cancelled while it was paid', async () => {
    const file = fileOf('old', 'cancelled', { endedAs: 'CANCELLED' });
    const refusedBy = (code: string) => [
      rowOf({ state: 'refused', reference: 'a', refusal: { code, detail: null } }),
    ];
    const { code, error, out, isSubmitted } = await pay(
      OWN,
      [],
      listOf(file, refusedBy('CANCELLED')),
    );
    assert.deepEqual([code, isSubmitted], [1, false]);
    assert.match(error, /A person cancelled .*line 2.*old\.csv \(old\)/);
    assert.match(out, /1 line, all well-formed/);
    const other = await pay(OWN, [], listOf(file, refusedBy('INSUFFICIENT_BALANCE')));
    assert.deepEqual([other.code, other.isSubmitted], [0, true], other.error);
    const allowed = await pay(OWN, ['--allow-cancelled'], listOf(file, refusedBy('CANCELLED')));
    assert.deepEqual([allowed.code, allowed.isSubmitted], [0, true], allowed.error);
  });
});

describe('kafue pay, where the lines may be paid otherwise', () => {
  it('stops when a file of the console that waits pays them, and names it', async () => {
    const file = fileOf('console', 'awaiting_approval', { references: 'derived' });
    const sameNumber = [rowOf()];
    const sameReference = [rowOf({ reference: 'a', amount: 12, phone: '+260966123456' })];
    for (const rows of [sameNumber, sameReference]) {
      const { code, error, isSubmitted } = await pay(OWN, [], listOf(file, rows));
      assert.deepEqual([code, isSubmitted], [1, false]);
      assert.match(error, /console\.csv \(console\).*line 2.*Nothing was sent[^]*--allow-similar/);
      const allowed = await pay(OWN, ['--allow-similar'], listOf(file, rows));
      assert.deepEqual([allowed.code, allowed.isSubmitted], [0, true], allowed.error);
    }
    const others = [rowOf({ amount: 12 }), rowOf({ phone: '+260966123456' })];
    assert.equal((await pay(OWN, [], listOf(file, others))).code, 0);
  });

  /** The service warns of a payout of the last days. */
  const similar = (changes: object = {}): Script => {
    const kind = {
      code: 'SIMILAR_PAYOUT',
      field: 'phone',
      kind: 'warning',
      message: 'x',
      count: 1,
    };
    const draft = { ...DRAFT, counts: countsOf({ warnings: 1 }), problemKinds: [kind] };
    const warning = { code: 'SIMILAR_PAYOUT', field: 'phone', message: 'x', transferId: 't1' };
    return (method, path) => {
      if (method === 'POST' && path === 'payout-files') return draft;
      if (method === 'GET' && path === 'payout-files/draft') return draft;
      if (path !== 'payout-files/draft/rows') return undefined;
      return { items: [rowOf({ warnings: [{ ...warning, ...changes }] })], nextCursor: null };
    };
  };

  it('stops when names from the content may have changed: the same was paid in the last days', async () => {
    const { code, error, isSubmitted, calls } = await pay(DERIVED, [], similar());
    assert.deepEqual([code, isSubmitted], [1, false]);
    assert.match(error, /^The number in line 2 was .*last 7 days.*Nothing was sent/);
    assert.match(error, /--batch.*--allow-similar/);
    assert.ok(calls.includes('DELETE payout-files/draft'));
    for (const args of [['--allow-similar'], ['--batch', '2026-12']]) {
      assert.equal((await pay(DERIVED, args, similar())).isSubmitted, true, args.join(' '));
    }
    assert.equal((await pay(OWN, [], similar())).isSubmitted, true);
    assert.equal((await pay(DERIVED, ['--dry-run'], similar())).code, 1);
  });

  it('pays the second of two equal lines, although the first was paid', async () => {
    let isAsked = false;
    const script: Script = (method, path, query) => {
      const reference = query.get('reference')?.split(',')[0] ?? '';
      if (path !== 'transfers' || isAsked) return similar()(method, path, query);
      isAsked = true;
      const paid = { id: 't1', amount: 10, phone: '+260977433571', operator: 'airtel' };
      const items = [transferOf(reference, { ...paid, status: 'successful' })];
      return { items, nextCursor: null };
    };
    const { isSubmitted, error } = await pay(`${DERIVED}0977433571,10\n`, [], script);
    assert.equal(isSubmitted, true, error);
  });

  it('refuses --batch where the file has references, which would be without effect', async () => {
    const { code, error, calls } = await pay(OWN, ['--batch', '2026-12']);
    assert.equal(code, 64);
    assert.match(error, /--batch.*references[^]*new references/);
    assert.deepEqual(calls, []);
  });
});

describe('kafue pay, run again with another --pay-at', () => {
  const file = fileOf('old', 'scheduled', { payAt: '2026-11-30T06:00:00.000Z' });
  const script: Script = (method, path, query) =>
    path === 'payout-files/old/results'
      ? resultsOf(['a', 'waiting'])
      : listOf(file, [rowOf({ reference: 'a' })])(method, path, query);

  it('says that the time in force is another one, and ends with 1', async () => {
    const { code, out } = await pay(OWN, ['--pay-at', '2026-12-15T08:00:00+02:00'], script);
    assert.equal(code, 1);
    assert.match(out, /old\.csv \(old\).*2026-11-30T06:00:00\.000Z.*not .*--pay-at/);
    const same = await pay(OWN, ['--pay-at', '2026-11-30T08:00:00+02:00'], script);
    assert.equal(same.code, 0);
    assert.equal((await pay(OWN, [], script)).code, 0);
    const result = await readFile(join(folder, 'pay.result.csv'), 'utf8');
    assert.match(result, /It waits for its time, 2026-11-30T06:00:00\.000Z\./);
  });
});

describe('the report of kafue pay', () => {
  it('says what was paid when the result can no longer be written, and ends with 1', async () => {
    await mkdir(join(folder, 'out'));
    const script: Script = (_method, path) => {
      if (path.endsWith('/submit')) rmSync(join(folder, 'out'), { recursive: true });
      return undefined;
    };
    const { code, out } = await pay(OWN, ['--result', 'out/r.csv'], script);
    assert.equal(code, 1);
    assert.match(out, /1 line: 1 accepted\./);
    assert.match(out, /could not be written to .*r\.csv.*another --result/);
    assert.doesNotMatch(out, /Every line is in/);
  });

  it('does not say that it waits for approval, by 77, where another line has failed', async () => {
    const failure = { code: 'OPERATOR_REJECTED', message: 'No.' };
    const failed = { status: 'failed', failure, amount: 20, operator: 'mtn' };
    const transfers = (items: readonly object[]): Script => {
      return (_method, path, query) => {
        if (path === 'transfers') {
          const wanted = query.get('reference')?.split(',') ?? [];
          const isWanted = (one: object) => wanted.includes(Reflect.get(one, 'reference'));
          return { items: items.filter(isWanted), nextCursor: null };
        }
        if (path.endsWith('/submit')) return fileOf('draft', 'awaiting_approval');
        return path.endsWith('/results') ? resultsOf(['a', 'waiting']) : undefined;
      };
    };
    const two = `${OWN}0966433571,20,b\n`;
    assert.equal((await pay(two, [], transfers([transferOf('b', failed)]))).code, 1);
    const sent = { ...failed, status: 'successful', failure: null };
    assert.equal((await pay(two, [], transfers([transferOf('b', sent)]))).code, 77);
  });

  it('is written, and the run goes on, when no one reads the standard error any more', async () => {
    await writeFile(join(folder, 'pay.csv'), OWN);
    let looks = 0;
    const service = await startScripted((method, path) => {
      if (method === 'POST' && path === 'payout-files') return DRAFT;
      if (path.endsWith('/submit')) return fileOf('draft', 'paying');
      if (path.endsWith('/results')) return resultsOf(['a', 'successful']);
      if (path !== 'payout-files/draft') return undefined;
      looks += 1;
      if (looks === 1) return DRAFT;
      return looks < 3 ? fileOf('draft', 'paying', { counts: countsOf({ created: 1 }) }) : DONE;
    });
    const env = { KAFUE_API_KEY: `sk_test_${'a'.repeat(30)}`, KAFUE_URL: service.baseUrl };
    const args = ['pay', 'pay.csv', '--wallet', WALLET, '--yes', '--watch'];
    try {
      const run = startKafue(args, { env, folder });
      run.child.stderr?.destroy();
      assert.equal(await run.ended, 0, run.out());
    } finally {
      await service.end();
    }
    assert.match(await readFile(join(folder, 'pay.result.csv'), 'utf8'), /accepted/);
  });

  it('says in JSON whether anything was sent, with the sums of what was', async () => {
    const paid = JSON.parse((await pay(OWN, ['--json'])).out);
    assert.deepEqual([paid.sent, paid.payouts, paid.byCurrency[0].amount], [true, 1, '10.00']);
    const before = { amount: 10, phone: '+260977433571', operator: 'airtel', status: 'successful' };
    const script: Script = (_method, path) =>
      path === 'transfers' ? { items: [transferOf('a', before)], nextCursor: null } : undefined;
    const again = JSON.parse((await pay(OWN, ['--json'], script)).out);
    assert.deepEqual([again.sent, again.payouts, again.byCurrency], [false, 0, []]);
  });

  it('says in JSON that it is not known whether anything was sent', async () => {
    const sentOf = async (script: Script) => {
      const { sent, counts } = JSON.parse((await pay(OWN, ['--json'], script)).out);
      return { sent, counts };
    };
    let isSubmitted = false;
    const unknown = await sentOf((_, path) => {
      isSubmitted ||= path.endsWith('/submit');
      if (path.endsWith('/submit')) return { status: 409, code: 'CONTENT_CHANGED' };
      const isSeen = isSubmitted && path === 'payout-files/draft';
      return isSeen ? fileOf('draft', 'paying', { version: 9 }) : undefined;
    });
    assert.deepEqual([unknown.sent, unknown.counts.unknown], [null, 1]);
    const paying = await sentOf((_, path) => {
      if (path.endsWith('/submit')) return fileOf('draft', 'paying');
      return path.endsWith('/results') ? { status: 403, code: 'FORBIDDEN' } : undefined;
    });
    assert.deepEqual([paying.sent, paying.counts.waiting], [null, 1]);
    const scheduled = await sentOf((_, path) => {
      if (path.endsWith('/submit')) return fileOf('draft', 'scheduled');
      return path.endsWith('/results') ? { status: 403, code: 'FORBIDDEN' } : undefined;
    });
    assert.deepEqual([scheduled.sent, scheduled.counts.waiting], [false, 1]);
  });

  it('says how many problems there are beside those that it shows', async () => {
    const bad = { ...DRAFT, counts: countsOf({ rows: 120, problems: 120 }) };
    const problem = { code: 'RECIPIENT_DENIED', field: 'phone', message: 'On a deny list.' };
    const items = Array.from({ length: 120 }, () => rowOf({ problems: [problem] }));
    const { code, out } = await pay(OWN, [], (method, path) => {
      if (method === 'POST' || path === 'payout-files/draft') return bad;
      return path.endsWith('/rows') ? { items, nextCursor: null } : undefined;
    });
    assert.equal(code, 65);
    assert.equal(out.match(/On a deny list/g)?.length, 50);
    assert.match(out, /^and 70 more lines with problems\.$/m);
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fakeKafue } from '../../test/fake-kafue.ts';
import { countsOf, fileOf } from '../../test/scripted-service.ts';
import { followFiles } from './follow-files.ts';

/** What is written while a file has these counts, one after the other. */
async function follow(steps: readonly Record<string, number>[]): Promise<string> {
  const files = steps.map((counts, n) =>
    fileOf('f', n === steps.length - 1 ? 'done' : 'paying', { counts: countsOf(counts) }),
  );
  let written = '';
  let looks = 0;
  const { kafue } = fakeKafue(() => {
    looks += 1;
    return { status: 200, data: files[looks] };
  });
  const deps = {
    kafue,
    writeError: (text: string) => {
      written += text;
    },
    isTerminal: { input: false, error: false },
    now: () => 0,
    pause: async () => undefined,
    stop: new AbortController().signal,
  };
  const first = files.slice(0, 1) as never;
  await followFiles(deps, first, { deadlineMs: 1, toTheEnd: true });
  return written;
}

it('shows where every row is, cancelled ones too, and writes a line only when something changed', async () => {
  const sent = { rows: 3, created: 3, succeeded: 1 };
  const end = { ...sent, succeeded: 2, cancelled: 1 };
  assert.equal(
    await follow([sent, sent, sent, end]),
    'Sent 3 of 3: 1 successful, 2 pending\nSent 3 of 3: 2 successful, 1 cancelled\n',
  );
});

it('says nothing where there is nothing to send', async () => {
  assert.equal(await follow([]), '');
});

import { setTimeout as waitMs } from 'node:timers/promises';
import type { Target } from '../load/transfer-request.ts';
import type { Runner, Scenario, ScenarioContext, Turn } from '../scenario.ts';
import type { RunningSide } from '../sides/running-side.ts';
import { serviceSide } from '../sides/side-spec.ts';

/** As many rows as a file may have. */
const ROWS = 50_000;
const WARM_UP_ROWS = 2_000;
const PATH = '/api/v1/payments/payout-files';
/** How exactly the end is known. */
const LOOK_INTERVAL_MS = 50;
const CHECK_DEADLINE_MS = 120_000;

/** How long people wait for the largest file: from the first byte of the upload until all rows are checked. */
export const payoutFile: Scenario = {
  name: 'payout-file',
  group: 'history',
  async open(context) {
    const side = await context.side(serviceSide('payout-file'));
    const [target] = context.targets;
    if (target === undefined) throw new Error('there is no wallet to pay from');
    let sequence = 0;
    const check = (rows: number) => {
      sequence += 1;
      return checkFile(context, { side, target, rows, sequence });
    };
    const runner: Runner = {
      name: 'payout-file',
      what: `a CSV file of ${ROWS.toLocaleString('en-GB')} rows, uploaded until checked; rows per second`,
      connections: 1,
      async warmUp() {
        await check(WARM_UP_ROWS);
      },
      run: () => check(ROWS),
    };
    return [runner];
  },
};

type Check = Readonly<{ side: RunningSide; target: Target; rows: number; sequence: number }>;

async function checkFile(
  context: ScenarioContext,
  { side, target, rows, sequence }: Check,
): Promise<Turn> {
  const headers = { 'x-api-key': target.apiKey };
  const body = writeFile(rows, sequence);
  const startedMs = performance.now();
  const uploaded = await fetch(`${side.url()}${PATH}?walletId=${target.walletId}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body,
    signal: context.signal,
  });
  if (uploaded.status !== 201) throw new Error(`not uploaded: ${await uploaded.text()}`);
  const { id } = await dataOf<{ id: string }>(uploaded);
  for (;;) {
    const found = await fetch(`${side.url()}${PATH}/${id}`, { headers, signal: context.signal });
    const file = await dataOf<{ state: string; counts: { ready: number } }>(found);
    const elapsedMs = performance.now() - startedMs;
    if (file.state === 'draft') {
      const { ready } = file.counts;
      if (ready !== rows) throw new Error(`of ${rows} rows, only ${ready} can be paid`);
      return describe(rows, elapsedMs);
    }
    if (elapsedMs > CHECK_DEADLINE_MS) throw new Error(`the file is still ${file.state}`);
    await waitMs(LOOK_INTERVAL_MS);
  }
}

async function dataOf<T>(response: Response): Promise<T> {
  const { data } = (await response.json()) as { data: T };
  return data;
}

/** Each row pays another number. */
function writeFile(rows: number, sequence: number): string {
  const lines = Array.from({ length: rows }, (_, index) => {
    const phone = `26096${String(1_000_000 + index)}`;
    return `${phone},Employee ${index},${1 + (index % 900)}.50,Salary ${sequence}`;
  });
  return `phone,name,amount,narration\n${lines.join('\n')}\n`;
}

function describe(rows: number, elapsedMs: number): Turn {
  return {
    perSecond: (1_000 * rows) / elapsedMs,
    latencyMs: { count: 1, p50: elapsedMs, p90: elapsedMs, p99: elapsedMs, max: elapsedMs },
    loadCpuShare: 0,
    cost: undefined,
    figures: { checkedAfterSeconds: elapsedMs / 1_000 },
  };
}

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openJournal } from './journal.ts';
import { createTestFolder } from './test-folder.ts';

const KERNEL = new URL('./emulator-server.ts', import.meta.url).href;
const PROTOCOL = new URL('./plain-protocol.ts', import.meta.url).href;
const ANSWERED_BEFORE_KILL = 200;
const CLIENTS = 20;

/** Starts an emulator in its own process, so that it can be killed. It prints its URL when it is ready. */
function spawnEmulator(journalPath: string): ChildProcess {
  const program = `
    const { startEmulator } = await import(${JSON.stringify(KERNEL)});
    const { plainProtocol } = await import(${JSON.stringify(PROTOCOL)});
    const options = { name: 'plain', port: 0, timeScale: 0.001, protocol: plainProtocol };
    const journalPath = ${JSON.stringify(journalPath)};
    const { url } = await startEmulator({ ...options, journalPath });
    process.stdout.write(url);
  `;
  return spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function urlOf(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout);
  const [url]: unknown[] = await once(child.stdout, 'data');
  return String(url);
}

/** Submits payouts until the emulator no longer answers. */
async function payOn(url: string, client: number, onAnswer: (reference: string) => void) {
  for (let order = 0; ; order += 1) {
    const reference = `client-${client}-order-${order}`;
    const body = JSON.stringify({ reference, msisdn: '260966000001', amountMinor: '100' });
    try {
      const answer = await fetch(`${url}/pay`, { method: 'POST', body });
      await answer.text();
    } catch {
      return;
    }
    onAnswer(reference);
  }
}

describe('an emulator that is killed', () => {
  it('has every answered payout in its book exactly once', async () => {
    await using folder = await createTestFolder();
    const journalPath = join(folder.path, 'plain.jsonl');
    const child = spawnEmulator(journalPath);
    const url = await urlOf(child);
    const answered: string[] = [];
    const onAnswer = (reference: string) => {
      answered.push(reference);
      if (answered.length === ANSWERED_BEFORE_KILL) child.kill('SIGKILL');
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => payOn(url, client, onAnswer)));
    const journal = await openJournal(journalPath);
    await journal.close();
    const paid = journal.earlier.flatMap((entry) =>
      entry.kind === 'executed' ? [entry.book.ourReference] : [],
    );
    assert.ok(answered.length >= ANSWERED_BEFORE_KILL);
    assert.equal(new Set(paid).size, paid.length);
    const missing = new Set(answered).difference(new Set(paid));
    assert.deepEqual([...missing], []);

    const again = spawnEmulator(journalPath);
    const urlAgain = await urlOf(again);
    const known = await fetch(`${urlAgain}/pay/${answered[0]}`);
    assert.equal(known.status, 200);
    again.kill('SIGKILL');
    await once(again, 'exit');
  });
});

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

const MODULE = new URL('../../service/src/telemetry/failpoint.ts', import.meta.url).href;
const VISITS = 500;

/** Visits a failpoint repeatedly in a separate process; returns how often it passed. */
function visit(
  failpoints: string | undefined,
): Readonly<{ signal: string | null; passed: number }> {
  const script = `
    import { writeSync } from 'node:fs';
    const { failpoint } = await import(${JSON.stringify(MODULE)});
    for (let visits = 0; visits < ${VISITS}; visits += 1) {
      failpoint('before-submit');
      writeSync(1, '.');
    }`;
  const { signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, ...(failpoints === undefined ? {} : { FAILPOINTS: failpoints }) },
  });
  return { signal, passed: stdout.length };
}

describe('a failpoint', () => {
  it('does nothing when it is not configured', () => {
    assert.deepEqual(visit(undefined), { signal: null, passed: VISITS });
    assert.deepEqual(visit('claimed:kill:1;7'), { signal: null, passed: VISITS });
  });

  it('ends the process at the first visit with probability 1', () => {
    assert.deepEqual(visit('claimed:kill:0,before-submit:kill:1;7'), {
      signal: 'SIGKILL',
      passed: 0,
    });
  });

  it('ends the process at the same visit for the same seed, and at another for another seed', () => {
    const [first, again, other] = ['7', '7', '8'].map((seed) =>
      visit(`before-submit:kill:0.02;${seed}`),
    );
    assert.equal(first?.signal, 'SIGKILL');
    assert.deepEqual(again, first);
    assert.notDeepEqual(other, first);
  });

  it('stops the process until SIGCONT', async () => {
    const script = `
      const { failpoint } = await import(${JSON.stringify(MODULE)});
      failpoint('claimed');
      process.stdout.write('went on');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, FAILPOINTS: 'claimed:pause:1;7' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const output = text(child.stdout);
    const stateOf = async () => {
      const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
    };
    while ((await stateOf()) !== 'T') await pause(10);
    child.kill('SIGCONT');
    assert.equal(await output, 'went on');
  });

  it('refuses an invalid configuration', () => {
    assert.equal(visit('before-lunch:kill:1;7').passed, 0);
    assert.equal(visit('before-submit:sleep:1;7').passed, 0);
  });
});

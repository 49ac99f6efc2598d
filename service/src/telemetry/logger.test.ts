import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { createLogger } from './logger.ts';

function logged(fields: object, message = 'something happened'): Record<string, unknown> {
  const lines: string[] = [];
  const logger = createLogger({
    level: 'info',
    destination: { write: (line) => lines.push(line) },
  });
  logger.info(fields, message);
  assert.equal(lines.length, 1);
  return JSON.parse(lines[0] ?? '');
}

describe('the logger', () => {
  it('writes known fields, the level in words and the time', () => {
    const line = logged({ transferId: 't', status: 201, elapsedMs: 3, bookId: undefined });
    assert.equal(line.level, 'info');
    assert.equal(line.msg, 'something happened');
    assert.equal(line.transferId, 't');
    assert.match(String(line.time), /^\d{4}-.*Z$/);
    assert.ok(!('bookId' in line));
  });

  it('drops every field that is not on its list, and names it', () => {
    const line = logged({ recipientName: 'Canary', narration: 'rent', headers: { a: 1 } });
    assert.deepEqual(line.droppedFields, ['recipientName', 'narration', 'headers']);
    assert.doesNotMatch(JSON.stringify(line), /Canary|rent/);
  });

  it('shows phones only masked, also inside texts', () => {
    const text = JSON.stringify([
      logged({ phone: '+260977433571' }),
      logged({ cause: 'no account 0977433571 or +260 97 743-3571' }),
      logged({}, 'paid 260977433571'),
    ]);
    assert.doesNotMatch(text, /743.?3571|77433/);
    assert.match(text, /\*\*\*\*/);
  });

  it('shows no key and no secret in texts', () => {
    const line = logged({ reason: 'got sk_live_abcDEF123 and whsec_abc+/=' }, 'key sk_test_XyZ0');
    assert.doesNotMatch(JSON.stringify(line), /abcDEF|whsec_abc|XyZ0/);
  });

  it('describes errors only by what is known to be harmless', () => {
    const cause = Object.assign(new Error('value "Canary Banda" is too long'), {
      severity: 'ERROR',
      code: '22001',
      detail: 'Failing row contains (Canary Banda, rent)',
      table: 'transfers',
      parameters: ['Canary Banda'],
    });
    const line = logged({ err: new Error('could not store', { cause }) });
    const text = JSON.stringify(line);
    assert.match(text, /could not store/);
    assert.match(text, /22001/);
    assert.match(text, /"table":"transfers"/);
    assert.match(text, /logger\.test\.ts/);
    assert.doesNotMatch(text, /Canary|rent/);
    assert.deepEqual(logged({ err: 'Canary' }).err, { type: 'string' });
  });

  it('keeps every entry on one line', () => {
    const line = logged({ cause: 'two\nlines \u001b[31mred' });
    assert.equal(line.cause, 'two\nlines \u001b[31mred');
  });

  it('writes to standard output by itself and before the process ends', () => {
    const script =
      `const { createLogger } = await import(${JSON.stringify(new URL('./logger.ts', import.meta.url).href)});` +
      "const logger = createLogger({ level: 'warn' });" +
      "logger.info({}, 'quiet'); for (let n = 0; n < 500; n += 1) logger.warn({ count: n }, 'loud');" +
      'logger.flush(); process.exit(0);';
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
    });
    const lines = stdout.trim().split('\n');
    assert.equal(lines.length, 500);
    assert.equal(JSON.parse(lines.at(-1) ?? '').count, 499);
  });
});

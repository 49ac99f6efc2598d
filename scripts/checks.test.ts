import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CHECKS } from './checks.ts';
import { runCommand } from './run-command.ts';

// As tests they run beside the others, and what one of them found stands in the summary at the end.
describe('the project passes its checks', () => {
  for (const { name, command } of CHECKS) {
    it(name, async () => {
      const { code, text } = await runCommand(command);
      assert.equal(code, 0, `${command.join(' ')} ended with ${code}:\n${text}`);
    });
  }
});

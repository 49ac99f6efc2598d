import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatDuration, parseDuration } from './duration.ts';

it('writes a duration that is read as the same seconds', () => {
  const some = { 0: 'PT0S', 59: 'PT59S', 5_400: 'PT1H30M', 86_400: 'P1D', 90_061: 'P1DT1H1M1S' };
  for (const [seconds, text] of Object.entries(some)) {
    assert.equal(formatDuration(Number(seconds)), text);
  }
  for (let seconds = 0; seconds < 8_000_000; seconds += 997) {
    assert.equal(parseDuration(formatDuration(seconds)), seconds);
  }
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isUnattended, watchAttendance } from './attendance.ts';

it('is unattended a minute after the last key, click or movement', (t) => {
  let nowMs = performance.now();
  t.mock.method(performance, 'now', () => nowMs);
  const page = new EventTarget();
  watchAttendance(page);
  assert.equal(isUnattended(), false);
  for (const input of ['keydown', 'pointerdown', 'pointermove', 'wheel']) {
    nowMs += 60_001;
    assert.equal(isUnattended(), true);
    page.dispatchEvent(new Event(input));
    assert.equal(isUnattended(), false, input);
  }
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openCallbackWorld } from '../../test/callback-world.ts';
import { describeTimeline } from '../admin/describe-timeline.ts';
import { merchantWords } from './merchant-entries.ts';
import { readTimeline } from './read-timeline.ts';
import { showEntry } from './shown-entry.ts';
import { showTimelineToStaff } from './staff-entries.ts';

const SERVICE = { kind: 'system', id: null, name: 'Kafue' } as const;

const world = openCallbackWorld();

it('a callback that was taken as an answer is shown as one, to merchants, the staff and administrators', async () => {
  const sent = await world.storeSent();
  await world.call(sent);
  await world.openProcess().apply();
  const timeline = await readTimeline(world.database, {
    id: sent.id,
    now: new Date(),
    directory: world.database,
  });
  const { transfer, entries } = timeline;

  const words = merchantWords({ transfer, nameOf: () => SERVICE });
  const toMerchant = entries.map((entry) => showEntry(entry, words));
  const titles = toMerchant.map(({ title, detail }) => `${title}: ${detail}`);
  const called = 'airtel called back: The call is signed and complete, so it counts as an answer.';
  assert.ok(titles.includes(called), titles.join('\n'));
  assert.ok(titles.includes('Answered by airtel: null'), titles.join('\n'));

  const toStaff = showTimelineToStaff(timeline).map(({ title }) => title);
  assert.ok(toStaff.includes('callback: signed, which means paid'), toStaff.join('\n'));

  const text = describeTimeline(entries, (part) => part);
  assert.match(text, /callback by pawapay-mtn-zm: POST, says paid, signed; taken as the answer/);
  assert.match(text, /answer by pawapay-mtn-zm: POST callback, which means paid/);
  assert.doesNotMatch(text, /no answer/);
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { OpenDownloads } from './open-downloads.ts';

it('a download that is open does not keep a process that stops from ending', () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const downloads = new OpenDownloads({ ofOwnerMax: 1, max: 1, timeMaxMs: 60_000 });
  const close = downloads.open('a merchant', () => undefined);
  // In the same turn, so that no timer of another test comes or goes meanwhile.
  assert.equal(timers(), before);
  close();
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Refusal } from '../../domain/refusal.ts';
import { DOWNLOAD_LIMITS, OpenDownloads } from './open-downloads.ts';

it('a download that is open does not keep a process that stops from ending', () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const downloads = new OpenDownloads(DOWNLOAD_LIMITS);
  const close = downloads.open({ owner: 'a key', merchantId: 'a merchant' }, () => undefined);
  // In the same turn, so that no timer of another test comes or goes meanwhile.
  assert.equal(timers(), before);
  close();
});

const refusedAs = (code: string) => (error: unknown) =>
  error instanceof Refusal && error.code === code;

/** Opens downloads of the people of a merchant, or of the staff, one for each. */
function openFor(downloads: OpenDownloads, people: number, merchantId: string | undefined) {
  return Array.from({ length: people }, (_, index) =>
    downloads.open({ owner: `${merchantId} ${index}`, merchantId }, () => undefined),
  );
}

it('the people and keys of one merchant have eight downloads together, and leave the places of others', () => {
  const downloads = new OpenDownloads(DOWNLOAD_LIMITS);
  const closes = openFor(downloads, 6, 'one');
  // Their keys are counted under the id of the merchant.
  const keys = { owner: 'one', merchantId: 'one' };
  for (let key = 0; key < 2; key += 1) closes.push(downloads.open(keys, () => undefined));
  const ninth = () => downloads.open({ owner: 'one 9', merchantId: 'one' }, () => undefined);
  assert.throws(ninth, refusedAs('RATE_LIMITED'));
  assert.throws(() => downloads.open(keys, () => undefined), refusedAs('RATE_LIMITED'));
  closes.push(...openFor(downloads, 8, 'another'));
  closes.shift()?.();
  closes.push(ninth());
  for (const close of closes) close();
});

it('people of the staff are counted each for themselves', () => {
  const downloads = new OpenDownloads(DOWNLOAD_LIMITS);
  const closes = openFor(downloads, 16, undefined);
  assert.throws(() => {
    for (let more = 0; more < DOWNLOAD_LIMITS.ofOwnerMax; more += 1) {
      closes.push(downloads.open({ owner: 'undefined 0', merchantId: undefined }, () => undefined));
    }
  }, refusedAs('RATE_LIMITED'));
  for (const close of closes) close();
});

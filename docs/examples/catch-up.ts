import { readFile, rename, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { Kafue } from 'kafue';

const CURSOR_FILE = 'data/events-cursor';
const kafue = new Kafue({ apiKey: process.env.KAFUE_KEY ?? '', baseUrl: process.env.KAFUE_URL });

// The inbox of the receiver: what was delivered is in it already, and stays there once.
const inbox = new DatabaseSync('data/inbox.db');
inbox.exec('create table if not exists inbox (id text primary key, body text)');
const keep = inbox.prepare('insert or ignore into inbox (id, body) values (?, ?)');

let missed = 0;
const cursor = (await readFile(CURSOR_FILE, 'utf8').catch(() => '')) || undefined;
for await (const { items, nextCursor } of kafue.events.list({ cursor }).pages()) {
  for (const event of items) missed += Number(keep.run(event.id, JSON.stringify(event)).changes);
  if (nextCursor === null) continue;
  // Only now: a program that ends before reads these events once more. A crash leaves one cursor or the other whole.
  await writeFile(`${CURSOR_FILE}.new`, nextCursor);
  await rename(`${CURSOR_FILE}.new`, CURSOR_FILE);
}
console.log(`missed: ${missed}`);

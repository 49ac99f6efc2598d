import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepareDataFolders } from '../../../test/embedded/data-folders.ts';
import { pollUntil } from '../../../test/poll.ts';
import type { ServerSession } from './enter-server.ts';
import { holdSession } from './hold-session.ts';
import { tryToConnect } from './server-session.ts';

const dataFolder = prepareDataFolders();

test('a session that ended while it was entered is entered again', async (t) => {
  const { open } = await dataFolder(t);
  const { port, password } = new URL((await open('admin')).connectionString);
  const server = { pid: process.pid, port: Number(port) };
  const connect = async (): Promise<ServerSession> => {
    const connection = await tryToConnect({ port: server.port, password }, 'held');
    assert.ok(typeof connection !== 'string');
    return { ...connection, server };
  };
  const end = async (session: ServerSession): Promise<ServerSession> => {
    await session.client.end();
    await session.ended;
    return session;
  };
  const entered: ServerSession[] = [];
  const left: ServerSession[] = [];
  const first = await connect();
  const hold = holdSession(
    {
      say: () => undefined,
      closing: new AbortController(),
      enter: async () => {
        const session = await connect();
        entered.push(session);
        return entered.length === 1 ? end(session) : session;
      },
      leave: async (session) => void left.push(await end(session)),
    },
    { session: first, returns: true },
  );
  await end(first);
  try {
    await pollUntil('the session to be entered again', () => entered.length === 2);
  } finally {
    await hold.release();
  }
  assert.deepEqual(left, entered.slice(1));
});

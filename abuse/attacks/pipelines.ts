import { once } from 'node:events';
import { AnswerReader } from '../attacker/answer-reader.ts';
import type { Attacker } from '../attacker/attacker.ts';
import { writeRequest } from '../attacker/write-request.ts';
import type { Attack } from './attack.ts';

const CONNECTIONS = 10;
const REQUESTS = 400;
/** The one that is worked on, 16 that wait, and some that arrived before the connection was full. */
const ANSWERS_MAX = 100;
const ANSWERS_WAIT_MS = 3_000;

/** Requests that are sent together on one connection, and whose answers are read. */
export const PIPELINES: Attack = {
  id: '2d',
  title: '10 connections send 400 requests at once and read',
  timeMaxMs: 20_000,
  async run(attacker) {
    const request = writeRequest({ path: '/health/live' });
    const pipeline = Buffer.concat(Array.from({ length: REQUESTS }, () => request));
    await Promise.all(Array.from({ length: CONNECTIONS }, () => sendPipeline(attacker, pipeline)));
  },
};

async function sendPipeline(attacker: Attacker, pipeline: Buffer): Promise<void> {
  const socket = attacker.open({ reads: true });
  const reader = new AnswerReader();
  let answers = 0;
  socket.on('data', (chunk) => {
    for (const { status } of reader.push(chunk)) {
      attacker.tally.answered(status);
      answers += 1;
    }
  });
  attacker.tally.sent += REQUESTS;
  socket.write(pipeline);
  const signal = AbortSignal.timeout(ANSWERS_WAIT_MS);
  await once(socket, 'close', { signal }).catch(() => attacker.close(socket));
  if (answers > ANSWERS_MAX) {
    attacker.tally.flaw(`more than ${ANSWERS_MAX} requests waited on one connection`);
  }
}

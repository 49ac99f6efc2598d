import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, AnswerReader } from '../attacker/answer-reader.ts';
import type { Attacker } from '../attacker/attacker.ts';
import { findFlaw } from '../malformed/find-flaw.ts';
import type { Kind } from '../malformed/kind.ts';
import { KINDS } from '../malformed/kinds.ts';
import type { Attack } from './attack.ts';

const REQUESTS = { short: 3 * KINDS.length, long: 20_000 } as const;
const CONNECTIONS = 48;
const REFUSED_MIN = 400;
/** Half of the clients reset their connection. */
const RESETS_PER_MILLE = 500;
/** Refusals of a valid key are logged up to 20 times a second, for each kind. */
const LOG_LINES_MAX = 10_000;
/**
 * Many requests leave the service waiting for more bytes; the attacker waits no longer than this. The short form allows
 * for the answers of a busy machine: a request without an answer in time is not counted.
 */
const ANSWER_WAIT_MS = { short: 2_000, long: 400 } as const;
/** How long to wait for a second answer, where there must be none. */
const SECOND_ANSWER_WAIT_MS = 100;

/** Requests that are wrong in every way we could think of. */
export const MALFORMED_REQUESTS: readonly Attack[] = [
  {
    id: '9',
    title: `20,000 malformed requests of ${KINDS.length} kinds`,
    timeMaxMs: 90_000,
    limits: { shedShareMax: 0.05, logLinesMax: LOG_LINES_MAX },
    async run(attacker) {
      let next = 0;
      const work = async (): Promise<void> => {
        while (next < REQUESTS[attacker.form] && !attacker.isOver) {
          const kind = KINDS[next % KINDS.length];
          next += 1;
          if (kind !== undefined) await sendOne(attacker, kind);
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, work));
    },
  },
];

async function sendOne(attacker: Attacker, kind: Kind): Promise<void> {
  const request = kind.make(attacker);
  const answers = await exchangeRaw(attacker, kind, request);
  for (const answer of answers) {
    attacker.tally.answered(answer.status);
    const isAccepted = answer.status < REFUSED_MIN && kind.mayAccept !== true;
    const flaw = isAccepted ? `accepted with ${answer.status}` : findFlaw({ request, answer });
    if (flaw !== undefined) attacker.tally.flaw(`${kind.name}: ${flaw}`);
  }
  if (answers.length > (kind.answersMax ?? Number.POSITIVE_INFINITY)) {
    attacker.tally.flaw(`${kind.name}: ${answers.length} answers to one request`);
  }
}

async function exchangeRaw(
  attacker: Attacker,
  kind: Kind,
  request: Buffer,
): Promise<readonly Answer[]> {
  const socket = attacker.open({ reads: true });
  const reader = new AnswerReader();
  const answers: Answer[] = [];
  socket.on('data', (chunk) => {
    answers.push(...reader.push(chunk));
    if (answers.length > 0) socket.emit('answered');
  });
  attacker.tally.sent += 1;
  socket.write(request);
  const over = AbortSignal.timeout(ANSWER_WAIT_MS[attacker.form]);
  await Promise.race([
    once(socket, 'answered', { signal: over }),
    once(socket, 'close', { signal: over }),
  ]).catch(() => undefined);
  if (kind.answersMax !== undefined && !socket.destroyed) await pause(SECOND_ANSWER_WAIT_MS);
  if (attacker.random.chance(RESETS_PER_MILLE)) attacker.reset(socket);
  else attacker.close(socket);
  return answers;
}

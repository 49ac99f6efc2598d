import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { SubmissionRecord } from '../../../emulators/kernel/submission-log.ts';
import { readTransfer } from '../contract/api-client.ts';
import { pollUntil } from '../poll.ts';
import { type LiveWorld, openLiveWorld } from './live-world.ts';

const TIME_SCALE = 0.01;
/**
 * A little longer than the minute of safety before the end of the memory, which no time scale shortens: so fifteen
 * minutes of "not found" always end too late for a resubmission.
 */
const MEMORY_HOURS = 62 / TIME_SCALE / 3_600;
const PROOF_MS = 15 * 60_000 * TIME_SCALE;
const NOT_FOUND_MIN = 3;
/** Without a callback, which would show that the operator has it. */
const FORGOTTEN = { answer: 'reset', callback: 'none' } as const;
const SETTLE_TIMEOUT_MS = 60_000;

const WAYS = [
  { emulator: 'mtn', operator: 'mtn', country: 'zm', prefix: '0961270' },
  { emulator: 'airtel', operator: 'airtel', country: 'zm', prefix: '0971270' },
  { emulator: 'vodacom', operator: 'vodacom', country: 'zm', prefix: '0972270' },
  { emulator: 'pawapay', operator: 'mtn', country: 'ng', prefix: '08031270' },
] as const;
const CASES = [
  { promise: 'pays once a payout that its operator paid and forgot', digits: '011', executed: 1 },
  {
    promise: 'leaves a payout to a person that its operator never received',
    digits: '012',
    executed: 0,
  },
] as const;

let world: LiveWorld;
before(async () => {
  world = await openLiveWorld({
    operators: WAYS.map(({ emulator }) => emulator),
    timeScale: TIME_SCALE,
    route: { referenceMemoryHours: MEMORY_HOURS },
    settings: { notFoundIsFinal: false },
  });
  for (const { emulator } of WAYS) {
    await world.setRules(emulator, [
      { match: { msisdnEndsIn: '011' }, preset: 'pay-then-forget', behaviour: FORGOTTEN },
      { match: { msisdnEndsIn: '012' }, preset: 'lost', behaviour: { answer: 'reset' } },
    ]);
  }
});
after(() => world.close());

describe('when the memory of an operator has ended', { concurrency: true }, () => {
  for (const way of WAYS) {
    for (const { promise, digits, executed } of CASES) {
      it(`${promise}, at ${way.emulator}: nothing is sent again`, async () => {
        const id = await pay(way, digits);
        await pollUntil(
          'fifteen minutes of "not found"',
          async () => {
            const { answers, spanMs } = await readNotFound(id);
            return answers > NOT_FOUND_MIN && spanMs > PROOF_MS;
          },
          SETTLE_TIMEOUT_MS,
        );
        const answer = await world.api().get(`transfers/${id}`);
        assert.equal(readTransfer(answer.data).state, 'in_doubt');
        const isOwn = ({ msisdn }: Readonly<{ msisdn: string }>) => msisdn.endsWith(digits);
        const { submissions } = (await world.control(way.emulator, 'GET submissions')) as {
          submissions: readonly SubmissionRecord[];
        };
        assert.equal(submissions.filter(isOwn).length, 1, 'submissions');
        assert.equal((await world.book(way.emulator)).filter(isOwn).length, executed, 'payments');
      });
    }
  }
});

async function pay(way: (typeof WAYS)[number], digits: string): Promise<string> {
  const { emulator, operator, country, prefix } = way;
  const { wallets } = world.merchant;
  const answer = await world.api().post('transfers/mobile-money', {
    amount: 12.34,
    reference: `${emulator}-${digits}`,
    phone: prefix + digits,
    operator,
    country,
    walletId: country === 'zm' ? wallets.live.ZMW : wallets.live.NGN,
  });
  assert.equal(answer.status, 201, JSON.stringify(answer));
  return readTransfer(answer.data).id;
}

async function readNotFound(id: string) {
  const [row] = await world.database.query<{ answers: number; span_ms: number }>(
    {
      name: '',
      text: `select count(*)::integer as answers,
                    coalesce(1000 * extract(epoch from max(ended_at) - min(ended_at)), 0)::float8 as span_ms
             from attempts where transfer_id = $1 and outcome = 'notFound'`,
    },
    [id],
  );
  return { answers: row?.answers ?? 0, spanMs: row?.span_ms ?? 0 };
}

import { SHORT_MEMORY_HOURS } from '../plan/make-system.ts';
import { about, type PlantedBug, payThrough } from './planted-bug.ts';

const NEXT_STEP = 'service/src/domain/next-step.ts';
const AFTER_NOT_FOUND = 'service/src/domain/after-not-found.ts';
const SCANNER = 'service/src/dispatcher/scanner.ts';
const INQUIRE = `  if (route.connector.abilities.inquires) dispatcher.inquire(transfer);
`;
const WEIGH_NOT_FOUND = '  if (isThrottled(standing) && mayResubmit(standing';
const FAIL = `return { ...step(standing, 'failed', 'not found'), failure: 'OPERATOR_REJECTED' };`;
const NOT_FOUND = 'service/src/domain/after-not-found.ts';
const DISPATCHER = 'service/src/dispatcher/dispatcher.ts';
const SEND =
  '  const reply = await route.connector.submit({ ...toPayout(transfer), mayStillSend });';
const TAKE = 'service/src/transfers/callbacks/take-as-answer.ts';
const TAKE_TO_INQUIRE = 'service/src/transfers/callbacks/take-for-inquiry.ts';
const LOSING = { ok: 1, lost: 2 };
const RESUBMITTING = { ordersPerClient: 6 };
const KILLS = { faultsMin: 4, faultsMax: 4, windowMs: 3_000 };

/** Bugs in the handling of an operator's answer, or of a missing one. */
export const OPERATOR_BUGS: readonly PlantedBug[] = [
  {
    name: 'a timeout releases the hold',
    edits: [
      {
        file: NEXT_STEP,
        old: `    case 'unknown':
      return doubt(standing, causeOf('ANSWER_UNCLEAR', outcome.cause));`,
        new: `    case 'unknown':
      return { ...step(standing, 'failed', outcome.cause), failure: 'OPERATOR_REJECTED' };`,
      },
    ],
    breaks: ['I7', 'I18'],
    size: about(payThrough('mtn', { ok: 2, 'pay-no-answer': 2, 'pay-then-500': 2 })),
  },
  {
    name: 'the first "not found" counts as failed',
    edits: [
      {
        file: AFTER_NOT_FOUND,
        old: WEIGH_NOT_FOUND,
        new: `  if (standing.notFoundIsFinal) ${FAIL}
${WEIGH_NOT_FOUND}`,
      },
    ],
    breaks: ['I7', 'I18'],
    size: about(payThrough('mtn', { ok: 1, 'execute-late': 2 })),
  },
  {
    name: 'three answers of "not found" are enough at any age',
    edits: [
      {
        file: AFTER_NOT_FOUND,
        old: WEIGH_NOT_FOUND,
        new: `  if (standing.notFoundIsFinal && notFoundAnswers >= NOT_FOUND_ANSWERS_MIN) ${FAIL}
${WEIGH_NOT_FOUND}`,
      },
    ],
    breaks: ['I7'],
    size: about(payThrough('mtn', { ok: 1, 'execute-late': 2 })),
  },
  {
    name: 'a takeover submits again',
    edits: [
      {
        file: SCANNER,
        old: INQUIRE,
        new: `  if (transfer.state === 'submitting') {
    route.limiter.reserve(transfer.bookId);
    dispatcher.submit(transfer, { monotonicMs: performance.now(), wallMs: Date.now() });
  } else if (route.connector.abilities.inquires) dispatcher.inquire(transfer);
`,
      },
    ],
    breaks: ['I5', 'I21'],
    size: about(
      {
        ...payThrough('zamtel', { ok: 1 }),
        faults: ['kill service'],
        failpoints: 'after-submit:kill:0.1;1',
      },
      KILLS,
    ),
  },
  {
    name: 'a takeover submits under a new reference',
    edits: [
      {
        file: SCANNER,
        old: INQUIRE,
        new: `  if (transfer.state === 'submitting') {
    route.limiter.reserve(transfer.bookId);
    const operatorReference = crypto.randomUUID();
    const leaseStart = { monotonicMs: performance.now(), wallMs: Date.now() };
    dispatcher.submit({ ...transfer, operatorReference }, leaseStart);
  } else if (route.connector.abilities.inquires) dispatcher.inquire(transfer);
`,
      },
    ],
    breaks: ['I5', 'I6'],
    size: about(
      {
        ...payThrough('mtn', { ok: 1 }),
        faults: ['kill service'],
        failpoints: 'after-submit:kill:0.1;1',
      },
      KILLS,
    ),
  },
  {
    name: 'the same order is submitted again under another reference',
    edits: [
      {
        file: DISPATCHER,
        old: SEND,
        new: `  const again = purpose === 'resubmit' ? { operatorReference: crypto.randomUUID() } : {};
  const reply = await route.connector.submit({ ...toPayout(transfer), ...again, mayStillSend });`,
      },
    ],
    breaks: ['I5', 'I6'],
    size: about(payThrough('airtel', LOSING), RESUBMITTING),
  },
  {
    name: 'the same order is submitted again by another route',
    edits: [
      {
        file: DISPATCHER,
        old: SEND,
        new: `  const way = purpose === 'resubmit' ? (deps.routes.beside(route)[0] ?? route) : route;
  const reply = await way.connector.submit({ ...toPayout(transfer), mayStillSend });`,
      },
    ],
    breaks: ['I5', 'I27'],
    size: about({ ...payThrough('mtn', LOSING), secondAccount: true }, RESUBMITTING),
  },
  {
    name: 'the same order is submitted again after its operator has forgotten it',
    edits: [
      {
        file: NOT_FOUND,
        old: '  return Math.max(0, referenceMemoryMs - RESUBMISSION_MARGIN_MS);',
        new: '  return referenceMemoryMs * RESUBMISSION_MARGIN_MS;',
      },
    ],
    breaks: ['I27'],
    size: about(
      { ...payThrough('vodacom', LOSING), referenceMemoryHours: SHORT_MEMORY_HOURS },
      RESUBMITTING,
    ),
  },
  {
    name: 'the same order is submitted again after the first "not found"',
    edits: [
      {
        file: NOT_FOUND,
        old: `  if (isProven && mayResubmit(standing, RESUBMISSIONS_MAX)) {
    return submitAgain(standing, notFoundProof);`,
        new: `  if (standing.state === 'in_doubt' && mayResubmit(standing, RESUBMISSIONS_MAX)) {
    const { notFoundProof: _, ...early } = submitAgain(standing, notFoundProof);
    return early;`,
      },
    ],
    breaks: ['I27'],
    size: about(payThrough('pawapay', LOSING), RESUBMITTING),
  },
  {
    name: 'a lost answer of Zamtel counts as never sent',
    edits: [
      {
        file: 'service/src/operators/zamtel/answers.ts',
        old: `  if (answer.kind === 'lost') return { kind: 'unknown', cause: answer.cause };`,
        new: `  if (answer.kind === 'lost') {
    return { kind: 'notSent', cause: answer.cause, retryInMs: RETRY_UNSENT_MS };
  }`,
      },
    ],
    breaks: ['I5', 'I21'],
    size: about(payThrough('zamtel', { ok: 2, 'pay-no-answer': 1, 'pay-then-reset': 1 })),
  },
  {
    name: 'Vodacom is sent a payout again after a 400 without a code',
    edits: [
      {
        file: 'service/src/operators/vodacom/call.ts',
        old: 'call.isInquiry ? isSessionRefused(first) : isUnauthorised(first)',
        new: 'isSessionRefused(first) || isUnauthorised(first)',
      },
    ],
    breaks: ['I21'],
    size: about(payThrough('vodacom', { ok: 1, 'pay-then-400': 1 })),
  },
  {
    name: 'a server error of MTN refuses by its code',
    edits: [
      {
        file: 'service/src/operators/mtn/answers.ts',
        old: 'const CODED_STATUSES: readonly number[] = [400, 403];',
        new: 'const CODED_STATUSES: readonly number[] = [400, 403, 500];',
      },
    ],
    breaks: ['I7'],
    size: about(payThrough('mtn', { ok: 1, 'pay-then-500': 1 })),
  },
  {
    name: 'a success is believed with any amount',
    edits: [
      {
        file: 'service/src/operators/mtn/answers.ts',
        old: `    echo('amount', 'amount', (text) => readAmountText(text) === payout.amountMinor),`,
        new: `    echo('amount', 'amount', (text) => readAmountText(text) !== undefined),`,
      },
    ],
    breaks: ['I6'],
    size: about(payThrough('mtn', { ok: 1, 'wrong-amount': 2 })),
  },
  {
    name: 'a callback is believed',
    edits: [
      {
        file: 'service/src/transfers/callbacks/apply-callbacks.ts',
        old: `      set next_action_at = least(t.next_action_at, now()),`,
        new: `      set state = 'succeeded', completed_at = now(), failure_code = null,
          in_doubt_since = null, next_action_at = null,`,
      },
      {
        file: TAKE_TO_INQUIRE,
        old: `      set lease_owner = $19::uuid, next_action_at`,
        new: `      set state = 'succeeded', completed_at = now(), failure_code = null,
          in_doubt_since = null, lease_owner = $19::uuid, next_action_at`,
      },
    ],
    breaks: ['I7', 'I8', 'I14', 'I18'],
    size: about(
      {
        ...payThrough('mtn', { ok: 1, 'pending-then-failed': 2, 'callback-forged': 2, lost: 1 }),
        faults: ['forge callbacks'],
      },
      { faultsMin: 3, faultsMax: 3 },
    ),
  },
  {
    name: 'a callback is taken as an answer with any signature',
    edits: [
      { file: TAKE, old: 'w.verified and w.route = t.route', new: 'w.route = t.route' },
      {
        file: 'service/src/operators/pawapay/callback.ts',
        old: "  if (verdict.kind === 'wrong') return { kind: 'forged', cause: verdict.cause };\n",
        new: '',
      },
    ],
    breaks: ['I7', 'I18'],
    size: about({
      ...payThrough('pawapay', { ok: 1, 'callback-forged': 3 }),
      signedCallbacksAreFinal: true,
    }),
  },
  {
    name: 'a signed callback is believed with any amount',
    edits: [
      { file: TAKE, old: '    and w.reported_amount_minor = t.amount_minor\n', new: '' },
      {
        file: 'service/src/operators/pawapay/callback.ts',
        old: 'readPayout(readExactJson(text), { payout, ageMs: 0 })',
        new: `readPayout(readExactJson(text), {
      payout: {
        ...payout,
        amountMinor: readAmountText(textAt(readExactJson(text), 'amount') ?? '') ?? 0n,
      },
      ageMs: 0,
    })`,
      },
    ],
    breaks: ['I6'],
    size: about({
      ...payThrough('pawapay', { ok: 1, 'wrong-amount': 3 }),
      signedCallbacksAreFinal: true,
    }),
  },
  {
    name: 'an end is overwritten by a later answer',
    edits: [
      {
        file: NEXT_STEP,
        old: '  if (isFinal(standing.state)) return afterEnd(standing, outcome);\n',
        new: '',
      },
      {
        file: 'service/src/transfers/move/move-transfers.ts',
        old: '    if (step.to !== transfer.state) assertMove(transfer.state, step.to);\n',
        new: '',
      },
      {
        file: 'service/migrations/undivided/0001_foundation.sql',
        old: `,
  check ((state in ('failed', 'cancelled')) = (failure_code is not null))`,
        new: '',
      },
    ],
    breaks: ['I8', 'I14'],
    size: about(payThrough('mtn', { ok: 1, 'contradictory-inquiry': 3 })),
  },
  {
    name: 'a transfer that is being sent can be cancelled',
    edits: [
      {
        file: 'service/src/domain/transfer-state.ts',
        old: `    next: ['submitted', 'succeeded', 'failed', 'in_doubt', 'queued'],`,
        new: `    next: ['submitted', 'succeeded', 'failed', 'in_doubt', 'queued', 'cancelled'],`,
      },
      {
        file: 'service/src/transfers/move/cancel-and-record.ts',
        old: `= ['queued', 'scheduled'];`,
        new: `= ['queued', 'scheduled', 'submitting'];`,
      },
    ],
    breaks: ['I7', 'I14'],
    size: about(payThrough('mtn', { ok: 1, slow: 3, 'pay-no-answer': 1 })),
  },
  {
    name: 'test orders go to real operators',
    edits: [
      {
        file: 'service/src/operators/routes/routes.ts',
        old: `    list: (pair) => (pair.mode === 'test' ? sandboxOnly : live.list(pair)),`,
        new: `    list: (pair) => {
      const found = live.list(pair);
      return found.length === 0 && pair.mode === 'test' ? sandboxOnly : found;
    },`,
      },
    ],
    breaks: ['I16'],
    size: about({ operators: ['mtn'], livePerMille: 0, mix: { ok: 1 } }),
  },
  {
    name: 'an operator that is down is tried again at once',
    edits: [
      {
        file: 'service/src/domain/next-step.ts',
        old: 'nextActionInMs: atLeast(outcome.retryInMs * standing.timeScale),\n          }',
        new: 'nextActionInMs: atLeast(0),\n          }',
      },
      {
        file: 'service/src/operators/limits/breaker.ts',
        old: 'failures >= FAILURES_TO_OPEN',
        new: 'failures < 0',
      },
    ],
    breaks: ['I21'],
    // At MTN there are two accounts, and the other one takes what the first cannot send.
    size: about(payThrough('airtel', { ok: 1 }), { paydaysPerMille: 1_000 }),
  },
];

import type { OperatorModel } from './operator-model.ts';
import type { ProcessRunner } from './process-life.ts';
import type { Life, ScheduleContext } from './schedule-context.ts';
import type { Connector, ConnectorReply, Outcome, Payout } from './service-core.ts';
import { readBody, replyOf } from './taken-callbacks.ts';

/** Fetching a token and submitting together take less than the margin of a lease. */
const PREPARE_MAX_MS = 5_000;
const ANSWER_TIMEOUT_MS = 15_000;
const SLOW_MAX_MS = 60_000;
const NORMAL_MAX_MS = 200;
const CONNECT_MAX_MS = 2_000;

const NO_ANSWER: Outcome = { kind: 'unknown', cause: 'no answer in time' };
const UNANSWERED: Outcome = { kind: 'unanswered', cause: 'no answer in time', retryInMs: null };
const NO_LINE: Outcome = {
  kind: 'unanswered',
  cause: 'no connection for the inquiry',
  retryInMs: null,
};
const NOT_SENT = { kind: 'notSent', cause: 'connection refused' } as const;
const TOO_LATE = { kind: 'notSent', cause: 'the time to send it was over' } as const;
const WIRE = { request: 'POST /payouts', httpStatus: null, answer: '', elapsedMs: 0 } as const;

type LinkDeps = Readonly<{
  context: ScheduleContext;
  processRunner: ProcessRunner;
  life: Life;
  operator: OperatorModel;
  /** How often each reference was submitted by any process; only planted bugs use it. */
  submissions: Map<string, number>;
}>;

/** A connector of one process to one operator, without bugs of its own. */
export function createOperatorLink(deps: LinkDeps): Connector {
  const { context, operator } = deps;
  const { plan } = operator;
  const abilities =
    context.deviation.ignoresMemory === true
      ? { ...plan.abilities, referenceMemoryMs: Number.MAX_SAFE_INTEGER }
      : plan.abilities;
  const read = (outcome: Outcome, purpose: 'submit' | 'inquire'): ConnectorReply => ({
    outcome: context.deviation.misread?.(outcome, { purpose, abilities }) ?? outcome,
    wire: WIRE,
  });
  return {
    abilities,
    submit: (payout) =>
      new Promise((resolve) => {
        prepare(deps, () => {
          send(deps, payout, (outcome) => resolve(read(outcome, 'submit')));
        });
      }),
    inquire: (payout) =>
      new Promise((resolve) => {
        inquire(deps, payout, (outcome) => resolve(read(outcome, 'inquire')));
      }),
    readAnswer: ({ body }, payout) =>
      replyOf(readBody(body, payout, context.deviation.statements ?? {})),
    resolveName: async () => ({ kind: 'unreachable', cause: 'not simulated' }),
  };
}

type Settle = (outcome: Outcome) => void;

/** A token may have to be fetched first. */
function prepare({ context, processRunner, life }: LinkDeps, go: () => void): void {
  if (!context.random.chance(100)) return go();
  life.preparing += 1;
  processRunner.deliverAfter(life, context.random.between(1, PREPARE_MAX_MS), () => {
    life.preparing -= 1;
    go();
  });
}

function send(deps: LinkDeps, payout: Payout, settle: Settle): void {
  const { context, processRunner, life, submissions } = deps;
  const { eventQueue, random, journal, trace, database, deviation } = context;
  const row = database.findByOperatorReference(payout.operatorReference);
  const state = row?.transfer.state;
  const operator = state === 'in_doubt' ? resubmitsTo(deps) : deps.operator;
  const { name: route } = operator.plan;
  // The service's wire makes the same check right before the first byte.
  if (deviation.sendsWhenTooLate !== true && payout.mayStillSend?.() === false) {
    return settle({ ...TOO_LATE, retryInMs: random.between(50, 5_000) });
  }
  const count = (submissions.get(payout.operatorReference) ?? 0) + 1;
  submissions.set(payout.operatorReference, count);
  if (operator.refusesConnection()) {
    const retryInMs = random.between(50, 5_000);
    const answer = () => settle({ ...NOT_SENT, retryInMs });
    return processRunner.deliverAfter(life, random.between(1, CONNECT_MAX_MS), answer);
  }
  const reference =
    (state === 'in_doubt'
      ? deviation.resubmissionReferenceFor?.(payout.operatorReference)
      : undefined) ?? deviation.referenceFor?.(payout.operatorReference, count);
  const sent = reference === undefined ? payout : { ...payout, operatorReference: reference };
  journal.sends.push({
    reference: sent.operatorReference,
    route,
    owner: life.owner,
    atMs: eventQueue.nowMs(),
    state,
  });
  trace.note(row?.transfer.id ?? '?', `sent to ${route} by ${life.owner} while ${state}`);
  exchange({ ...deps, operator }, settle, {
    lost: NO_ANSWER,
    arrive: () => operator.receive(sent),
  });
}

/** Its own route, unless a planted bug uses another one. */
function resubmitsTo({ context, operator }: LinkDeps): OperatorModel {
  if (context.deviation.resubmitsElsewhere !== true) return operator;
  const isOther = ({ plan }: OperatorModel) =>
    plan.operator === operator.plan.operator && plan.name !== operator.plan.name;
  return context.operators.find(isOther) ?? operator;
}

function inquire(deps: LinkDeps, payout: Payout, settle: Settle): void {
  const { context, processRunner, life, operator } = deps;
  if (operator.refusesConnection()) {
    const saysSo = context.plan.extremes.has('inquiries not sent');
    const outcome = saysSo
      ? { ...NOT_SENT, retryInMs: context.random.between(50, 5_000) }
      : NO_LINE;
    const connectMs = context.random.between(1, CONNECT_MAX_MS);
    return processRunner.deliverAfter(life, connectMs, () => settle(outcome));
  }
  const arrive = () => operator.answerInquiry(payout.operatorReference);
  exchange(deps, settle, { lost: UNANSWERED, arrive });
}

/** One exchange with delays and losses in both directions, and a timeout. */
function exchange(
  deps: LinkDeps,
  settle: Settle,
  { lost, arrive }: Readonly<{ lost: Outcome; arrive: () => Outcome | undefined }>,
): void {
  const { context, processRunner, life, operator } = deps;
  const { eventQueue, random, trace } = context;
  let isSettled = false;
  const once = (outcome: Outcome): void => {
    if (isSettled) return;
    isSettled = true;
    settle(outcome);
  };
  const travelMs = (): number | undefined => {
    if (context.isHealed()) return random.between(1, NORMAL_MAX_MS);
    if (random.chance(20)) return undefined;
    return random.between(1, random.chance(30) ? SLOW_MAX_MS : NORMAL_MAX_MS);
  };
  const thereMs = travelMs();
  if (thereMs !== undefined) {
    eventQueue.after(thereMs, () => {
      const outcome = arrive();
      trace.note(operator.plan.name, `answers ${life.owner} ${outcome?.kind ?? 'nothing'}`);
      const backMs = travelMs();
      if (outcome === undefined || backMs === undefined) return;
      processRunner.deliverAfter(life, backMs, () => once(outcome));
    });
  }
  eventQueue.after(ANSWER_TIMEOUT_MS, () => {
    if (!isSettled) processRunner.deliver(life, () => once(lost));
  });
}

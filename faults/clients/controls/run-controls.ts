import { setTimeout as pause } from 'node:timers/promises';
import type {
  ControlledOrder,
  ControlPerson,
  ControlsPlan,
  PlannedDecision,
} from '../../plan/controls-plan.ts';
import { memberOf, textIn } from '../read-member.ts';
import { type ControlDeps, call, callUntilAnswered, PAYMENTS } from './call.ts';
import type { ControlAccess } from './control-access.ts';
import { payFile } from './pay-file.ts';
import { SCREENED, writePolicy } from './write-policy.ts';

const TRANSFERS = `${PAYMENTS}/transfers`;
const WRONG_HASH = '0'.repeat(64);
const MINOR_PER_UNIT = 100;

/**
 * Orders, decides, publishes, denies a number and pays a file, all at once; when the faults have ended, decides what
 * still waits.
 */
export async function runControls(deps: ControlDeps, plan: ControlsPlan): Promise<void> {
  await Promise.all([
    runOrders(deps, plan.orders),
    plan.file === null ? undefined : payFile(deps, plan.file),
    plan.republishAfterMs === null ? undefined : republish(deps, plan),
    plan.denial === null ? undefined : deny(deps, plan.denial),
  ]);
  await deps.healed;
  await decideAll(deps, plan.lastDeciders);
}

async function runOrders(deps: ControlDeps, orders: readonly ControlledOrder[]): Promise<void> {
  const paying: Promise<void>[] = [];
  for (const order of orders) {
    if (deps.signal.aborted) break;
    await pause(order.pauseMs);
    paying.push(payAndDecide(deps, order));
  }
  await Promise.all(paying);
}

async function payAndDecide(deps: ControlDeps, order: ControlledOrder): Promise<void> {
  const sendAt = order.sendInMs === null ? null : new Date(Date.now() + order.sendInMs);
  const answer = await callUntilAnswered(deps, {
    as: order.maker,
    method: 'POST',
    path: `${TRANSFERS}/mobile-money`,
    body: writeOrder(deps.access, order, sendAt),
    reference: order.reference,
    fates: order.fates,
  });
  const data = memberOf(answer?.body, 'data');
  const id = textIn(data, 'id') ?? textIn(memberOf(data, 'transfer'), 'id');
  if (id !== undefined) await decide(deps, { id, order });
}

function writeOrder(
  { walletId }: ControlAccess,
  { reference, amountMinor, phone, operator, country, screening }: ControlledOrder,
  sendAt: Date | null,
): string {
  return JSON.stringify({
    reference,
    amount: amountMinor / MINOR_PER_UNIT,
    phone,
    operator,
    country,
    walletId,
    ...(sendAt === null ? {} : { sendAt: sendAt.toISOString() }),
    ...(screening === null ? {} : { metadata: { [SCREENED]: screening } }),
  });
}

async function decide(
  deps: ControlDeps,
  { id, order }: Readonly<{ id: string; order: ControlledOrder }>,
): Promise<void> {
  if (order.isRushed) await approveAtOnce(deps, { id, reference: order.reference });
  const together: Promise<unknown>[] = [];
  for (const decision of order.decisions) {
    if (deps.signal.aborted) break;
    if (together.length === 0) await pause(decision.pauseMs);
    together.push(sendDecision(deps, { id, decision, reference: order.reference }));
    if (decision.isTogether) continue;
    await Promise.all(together.splice(0));
  }
  await Promise.all(together);
}

/** All people who can approve do so in the same moment. With two services each gets some of the calls. */
async function approveAtOnce(
  deps: ControlDeps,
  { id, reference }: Readonly<{ id: string; reference: string }>,
): Promise<void> {
  const path = `${TRANSFERS}/${id}`;
  const read = await call(deps, { as: 'approver-1', method: 'GET', path, reference });
  const contentHash = textIn(memberOf(read?.body, 'data'), 'contentHash');
  if (contentHash === undefined) return;
  const body = JSON.stringify({ contentHash });
  await Promise.all(
    APPROVERS.map((as) =>
      call(deps, { as, method: 'POST', path: `${path}/approve`, body, reference }),
    ),
  );
}

const APPROVERS = ['approver-1', 'approver-2', 'both'] as const;

async function sendDecision(
  deps: ControlDeps,
  {
    id,
    decision,
    reference,
  }: Readonly<{ id: string; decision: PlannedDecision; reference: string }>,
): Promise<void> {
  const { act, by, hasWrongHash, fate } = decision;
  const read = await call(deps, { as: by, method: 'GET', path: `${TRANSFERS}/${id}`, reference });
  const shown = textIn(memberOf(read?.body, 'data'), 'contentHash');
  const needsHash = act === 'approve' || act === 'reject';
  const contentHash = hasWrongHash ? WRONG_HASH : (shown ?? WRONG_HASH);
  await call(deps, {
    as: by,
    method: 'POST',
    path: `${TRANSFERS}/${id}/${act}`,
    body: needsHash ? JSON.stringify({ contentHash }) : '{}',
    reference,
    fate,
  });
}

/** Approvers go through what waits, as they would on a screen. Returns how many approvals were given. */
export async function decideAll(
  deps: ControlDeps,
  people: readonly ControlPerson[],
): Promise<number> {
  let given = 0;
  for (const person of people) {
    const answer = await callUntilAnswered(deps, {
      as: person,
      method: 'GET',
      path: `${PAYMENTS}/approvals?view=mine`,
    });
    const items = memberOf(memberOf(answer?.body, 'data'), 'items');
    for (const item of Array.isArray(items) ? items : []) {
      const kind = textIn(item, 'kind');
      const place = kind === 'file' ? 'payout-files' : 'transfers';
      const contentHash = textIn(item, 'contentHash');
      const answered = await callUntilAnswered(deps, {
        as: person,
        method: 'POST',
        path: `${PAYMENTS}/${place}/${textIn(item, 'id')}/approve`,
        body: JSON.stringify({ contentHash }),
      });
      if (answered?.status === OK) given += 1;
    }
  }
  return given;
}

const OK = 200;

/** Denies a number and allows it again. In between no new payout to it is sent, and scheduled ones wait for people. */
async function deny(deps: ControlDeps, denial: NonNullable<ControlsPlan['denial']>): Promise<void> {
  await pause(denial.afterMs);
  const reason = 'reported stolen';
  const body = JSON.stringify({ list: 'deny', phone: denial.phone, country: 'zm', reason });
  const post = (path: string, text: string) =>
    callUntilAnswered(deps, { as: 'owner-1', method: 'POST', path, body: text });
  await post(LISTS, body);
  // The answer may be lost, and then the entry is there all the same.
  const listed = await callUntilAnswered(deps, {
    as: 'owner-1',
    method: 'GET',
    path: `${LISTS}?list=deny`,
  });
  // A person tries to approve what waits for the number too.
  await decideAll(deps, ['approver-2']);
  await pause(denial.forMs);
  const items = memberOf(memberOf(listed?.body, 'data'), 'items');
  for (const item of Array.isArray(items) ? items : []) {
    const end = JSON.stringify({ reason: 'it was found' });
    await post(`${LISTS}/${textIn(item, 'id')}/end`, end);
  }
}

const LISTS = `${PAYMENTS}/lists`;

/** Publishes the same rules as a new version, which must have no effect on payouts under way. */
async function republish(deps: ControlDeps, plan: ControlsPlan): Promise<void> {
  await pause(plan.republishAfterMs ?? 0);
  const draft = `${PAYMENTS}/policy/draft`;
  const to = new Date();
  const from = new Date(to.getTime() - REPLAY_MS);
  const range = JSON.stringify({ from: from.toISOString(), to: to.toISOString() });
  const put = { method: 'PUT', path: draft, body: writePolicy(plan) } as const;
  await callUntilAnswered(deps, { as: 'owner-1', ...put });
  const post = (as: ControlPerson, path: string, body = '{}') =>
    callUntilAnswered(deps, { as, method: 'POST', path: `${draft}/${path}`, body });
  await post('owner-1', 'replay', range);
  await post('owner-1', 'publish');
  await post('owner-2', 'confirm');
}

/** More than the 30 days that a live policy's replay must cover. */
const REPLAY_MS = 31 * 24 * 60 * 60 * 1_000;

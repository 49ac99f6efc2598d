import { setTimeout as pause } from 'node:timers/promises';
import type { FilePlan } from '../../plan/controls-plan.ts';
import { memberOf, textIn } from '../read-member.ts';
import { type ControlDeps, call, callUntilAnswered, PAYMENTS } from './call.ts';

const FILES = `${PAYMENTS}/payout-files`;
const MINOR_PER_UNIT = 100;
const POLL_MS = 200;
/** A file of a run has few rows: it is checked within a moment of the faults' end. */
const POLLS_MAX = 300;
const BROKEN = 'twelve';

/** Uploads a file, corrects what is broken, submits it several times at once, and lets two people approve it. */
export async function payFile(deps: ControlDeps, plan: FilePlan): Promise<void> {
  await pause(plan.afterMs);
  const uploaded = await callUntilAnswered(deps, {
    as: 'maker',
    method: 'POST',
    path: `${FILES}?name=payday.csv`,
    contentType: 'text/csv',
    idempotencyKey: 'payday file',
    body: writeCsv(plan),
    fates: plan.fates,
  });
  const id = textIn(memberOf(uploaded?.body, 'data'), 'id');
  if (id === undefined) return;
  if (!(await waitUntilChecked(deps, id))) return;
  for (const [index, row] of plan.rows.entries()) {
    if (!row.isBroken) continue;
    const body = JSON.stringify({ amount: decimal(row.amountMinor) });
    const path = `${FILES}/${id}/rows/${index + 1}`;
    await callUntilAnswered(deps, { as: 'maker', method: 'PUT', path, body });
  }
  const contentHash = textIn(await read(deps, id), 'contentHash');
  const payAt = plan.payInMs === null ? null : new Date(Date.now() + plan.payInMs);
  await Promise.all(
    Array.from({ length: plan.submits }, () =>
      callUntilAnswered(deps, {
        as: 'maker',
        method: 'POST',
        path: `${FILES}/${id}/submit`,
        body: JSON.stringify({
          walletId: deps.access.walletId,
          ...(contentHash === undefined ? {} : { contentHash }),
          ...(payAt === null ? {} : { payAt: payAt.toISOString() }),
        }),
        fates: plan.fates,
      }),
    ),
  );
  await approveFile(deps, id);
  if (plan.cancelAfterMs === null) return;
  await pause(plan.cancelAfterMs);
  await callUntilAnswered(deps, {
    as: 'maker',
    method: 'POST',
    path: `${FILES}/${id}/cancel`,
    body: '{}',
  });
}

async function approveFile(deps: ControlDeps, id: string): Promise<void> {
  const contentHash = textIn(await read(deps, id), 'contentHash');
  if (contentHash === undefined) return;
  const body = JSON.stringify({ contentHash });
  const path = `${FILES}/${id}/approve`;
  // The maker must not.
  await call(deps, { as: 'maker', method: 'POST', path, body });
  await Promise.all(
    (['approver-1', 'approver-2'] as const).map((as) =>
      callUntilAnswered(deps, { as, method: 'POST', path, body }),
    ),
  );
}

async function waitUntilChecked(deps: ControlDeps, id: string): Promise<boolean> {
  for (let polls = 0; polls < POLLS_MAX && !deps.signal.aborted; polls += 1) {
    if (textIn(await read(deps, id), 'state') === 'draft') return true;
    await pause(POLL_MS);
  }
  return false;
}

async function read(deps: ControlDeps, id: string): Promise<unknown> {
  const answer = await callUntilAnswered(deps, {
    as: 'maker',
    method: 'GET',
    path: `${FILES}/${id}`,
  });
  return memberOf(answer?.body, 'data');
}

function writeCsv({ rows }: FilePlan): string {
  const lines = rows.map(({ phone, amountMinor, operator, isBroken }) => {
    const amount = isBroken ? BROKEN : decimal(amountMinor);
    return `"${phone}",${amount},${operator}`;
  });
  return `phone,amount,operator\n${lines.join('\n')}\n`;
}

function decimal(minor: number): string {
  return (minor / MINOR_PER_UNIT).toFixed(2);
}

import type { ControlFacts } from '../journal/exchange-record.ts';
import { contentHashOf } from './content-hash.ts';
import type { Exchange } from './read-journals.ts';
import { isObject } from './shown-transfers.ts';
import type {
  ApprovalRow,
  AttemptRow,
  FileRow,
  PayoutFileRow,
  Snapshot,
  TransferRow,
} from './snapshot.ts';
import { type Found, report } from './violation.ts';

const OK = 200;
const CREATED = 201;
const NEVER_SENT = ['APPROVAL_REJECTED', 'APPROVAL_EXPIRED', 'APPROVAL_RECALLED'];

type Run = Readonly<{ facts: ControlFacts | null; controls: readonly Exchange[] }>;

/** I28 to I33: what a policy, approvals, times and payout files promise. */
export function checkControls(snapshot: Snapshot, run: Run, found: Found): void {
  checkApprovals(snapshot, found);
  checkTimes(snapshot, found);
  checkFiles(snapshot, found);
  if (run.facts === null) return;
  checkAcknowledged(snapshot, run.controls, found);
  checkAsked(snapshot, run.facts, found);
  checkPolicyLimits(snapshot, run.facts, found);
}

/** I28 and I29: a person approved what was paid, and not what they prepared. */
function checkApprovals(snapshot: Snapshot, found: Found): void {
  const transfers = new Map(snapshot.transfers.map((transfer) => [transfer.id, transfer]));
  const files = new Map(snapshot.files.map((file) => [file.id, file]));
  const attempts = Map.groupBy(snapshot.attempts, ({ transferId }) => transferId);
  for (const approval of snapshot.approvals) {
    const subject =
      approval.kind === 'transfer'
        ? transfers.get(approval.subjectId)
        : files.get(approval.subjectId);
    if (subject === undefined) {
      report(found, 'I28', { id: approval.subjectId }, 'a decision about nothing', { approval });
      continue;
    }
    const hash = 'phone' in subject ? contentHashOf(subject) : subject.contentHash;
    if (hash !== approval.contentHash) {
      const says = 'a person decided about another content than is here now';
      report(found, 'I28', subject, says, { approval, hash });
    }
    const makers = [subject.madeBy, 'submittedBy' in subject ? subject.submittedBy : null];
    if (makers.includes(approval.personId)) {
      report(found, 'I29', subject, 'a person decided about their own work', { approval });
    }
  }
  const decisions = Map.groupBy(snapshot.approvals, ({ subjectId }) => subjectId);
  for (const transfer of snapshot.transfers) {
    checkSent(transfer, {
      attempts: attempts.get(transfer.id) ?? [],
      decisions: decisions.get(transfer.id) ?? [],
      found,
    });
  }
}

type Evidence = Readonly<{
  attempts: readonly AttemptRow[];
  decisions: readonly ApprovalRow[];
  found: Found;
}>;

/** I30: an operator hears of a transfer only when its approvals were given, and never when it was rejected. */
function checkSent(transfer: TransferRow, { attempts, decisions, found }: Evidence): void {
  const isSent = attempts.some(({ purpose }) => purpose === 'submit') || isUnderWay(transfer.state);
  if (!isSent) return;
  const evidence = { transfer, decisions };
  const complain = (says: string) => report(found, 'I30', transfer, says, evidence);
  if (NEVER_SENT.includes(transfer.failureCode ?? ''))
    complain('it was sent, and then not approved');
  if (decisions.some(({ decision }) => decision === 'reject'))
    complain('it was sent although rejected');
  const needed = (transfer.approvalsNeeded ?? []).reduce((sum, { count }) => sum + count, 0);
  const approvers = new Set(
    decisions.filter(({ decision }) => decision === 'approve').map(({ personId }) => personId),
  );
  if (approvers.size < needed)
    complain(`it was sent with ${approvers.size} of ${needed} approvals`);
}

function isUnderWay(state: string): boolean {
  return ['submitting', 'submitted', 'in_doubt', 'succeeded', 'reversed'].includes(state);
}

/** I31: nothing leaves before its time, by the database's clock, which no fault moves. */
function checkTimes({ transfers }: Snapshot, found: Found): void {
  for (const transfer of transfers) {
    const { sendAt, firstSubmittedAt } = transfer;
    if (sendAt === null || firstSubmittedAt === null) continue;
    if (Date.parse(firstSubmittedAt) >= Date.parse(sendAt)) continue;
    report(found, 'I31', transfer, 'it left before its time', { transfer });
  }
}

/** I32: each row of a file is paid at most once, and none of a finished file is forgotten. */
function checkFiles(snapshot: Snapshot, found: Found): void {
  const transfers = new Map(snapshot.transfers.map((transfer) => [transfer.id, transfer]));
  const ofFiles = Map.groupBy(
    snapshot.transfers.filter(({ fileId }) => fileId !== null),
    ({ fileId }) => fileId ?? '',
  );
  const rowsOf = Map.groupBy(snapshot.fileRows, ({ fileId }) => fileId);
  for (const file of snapshot.files) {
    const rows = rowsOf.get(file.id) ?? [];
    for (const row of rows)
      checkRow(file, { row, transfer: transfers.get(row.transferId ?? '') }, found);
    const known = new Set(rows.flatMap(({ transferId }) => transferId ?? []));
    for (const transfer of ofFiles.get(file.id) ?? []) {
      if (known.has(transfer.id)) continue;
      const says = 'a payout of a file belongs to none of its rows';
      report(found, 'I32', transfer, says, { file, transfer });
    }
  }
}

function checkRow(
  file: PayoutFileRow,
  { row, transfer }: Readonly<{ row: FileRow; transfer: TransferRow | undefined }>,
  found: Found,
): void {
  const evidence = { file, row, transfer };
  const subject = { id: row.transferId };
  if (row.transferId !== null && transfer === undefined) {
    report(found, 'I32', subject, 'a row names a payout that does not exist', evidence);
  }
  if (transfer !== undefined && !isSame(row, transfer)) {
    report(found, 'I32', subject, 'a row was paid with other values than it has', evidence);
  }
  const isOpen = row.transferId === null && ['ready', 'waiting'].includes(row.state);
  if (file.state === 'done' && isOpen) {
    report(found, 'I32', subject, 'the file is done, and a row of it is forgotten', evidence);
  }
  if (file.state === 'paying' && isOpen) {
    report(
      found,
      'I32',
      subject,
      'the file is still being paid although nothing changes',
      evidence,
    );
  }
}

function isSame(row: FileRow, transfer: TransferRow): boolean {
  return row.amountMinor === transfer.amountMinor && row.phone === transfer.phone;
}

/** I28: what was answered as decided or accepted is there. */
function checkAcknowledged(snapshot: Snapshot, controls: readonly Exchange[], found: Found): void {
  const known = new Set(snapshot.transfers.map(({ id }) => id));
  const counts = Map.groupBy(
    snapshot.approvals,
    ({ subjectId, decision }) => `${subjectId} ${decision}`,
  );
  const answered = new Map<string, number>();
  for (const { request, answered: answer, place } of controls) {
    const act = DECISION.exec(request.path);
    if (act?.groups !== undefined && answer?.status === OK) {
      if (request.body?.includes(WRONG_HASH) === true) {
        const id = act.groups['id'] ?? null;
        report(found, 'I28', { id }, 'a decision about another content was taken', { place });
      }
      const key = `${act.groups['id']} ${act.groups['act']}`;
      answered.set(key, (answered.get(key) ?? 0) + 1);
    }
    if (request.path.endsWith('/transfers/mobile-money') && answer?.status === CREATED) {
      const data = isObject(answer.body) ? answer.body['data'] : undefined;
      const id = isObject(data) ? String(data['id']) : '';
      if (!known.has(id)) report(found, 'I28', { id }, 'an acknowledged payout is lost', { place });
    }
  }
  for (const [key, count] of answered) {
    const [id = ''] = key.split(' ');
    if ((counts.get(key)?.length ?? 0) >= count) continue;
    report(found, 'I28', { id }, 'an acknowledged decision is lost', { key, count });
  }
}

/** What the clients give as the hash of another content. */
const WRONG_HASH = '0'.repeat(64);
const DECISION = /\/(?:transfers|payout-files)\/(?<id>[0-9a-f-]{36})\/(?<act>approve|reject)$/;

/** I30: the policy asked for approvals exactly where it must. */
function checkAsked(snapshot: Snapshot, facts: ControlFacts, found: Found): void {
  for (const transfer of snapshot.transfers) {
    if (transfer.bookId !== facts.bookId || transfer.fileId !== null) continue;
    const isBig = Number(transfer.amountMinor) >= facts.approvalFromMinor;
    const needed = (transfer.approvalsNeeded ?? []).reduce((sum, { count }) => sum + count, 0);
    if (needed === (isBig ? facts.approvals : 0)) continue;
    const says = `the policy asks for ${isBig ? facts.approvals : 0} approvals, and ${needed} were asked for`;
    report(found, 'I30', transfer, says, { transfer, facts });
  }
}

/** I33: all that was accepted together is within the limits of the policy, to the last ngwee. */
function checkPolicyLimits(snapshot: Snapshot, facts: ControlFacts, found: Found): void {
  const own = snapshot.transfers.filter(({ bookId }) => bookId === facts.bookId);
  const byDay = Map.groupBy(
    own,
    ({ walletId, createdAt }) => `${walletId} ${lusakaDay(createdAt)}`,
  );
  for (const [walletDay, ofDay] of byDay) {
    const total = ofDay.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n);
    if (total <= BigInt(facts.dayLimitMinor)) continue;
    const evidence = { walletDay, total: String(total), limit: facts.dayLimitMinor };
    report(found, 'I33', {}, 'a wallet paid more in a day than its policy allows', evidence);
  }
  for (const [phone, toPhone] of Map.groupBy(own, (transfer) => transfer.phone)) {
    const times = toPhone.map(({ createdAt }) => Date.parse(createdAt)).sort((a, b) => a - b);
    for (const [index, time] of times.entries()) {
      const inHour = times.slice(index).filter((other) => other - time < HOUR_MS).length;
      if (inHour <= facts.recipientMax) continue;
      const evidence = { phone, inHour, limit: facts.recipientMax };
      report(
        found,
        'I33',
        {},
        'a number got more payouts in an hour than its policy allows',
        evidence,
      );
      break;
    }
  }
}

const HOUR_MS = 60 * 60 * 1_000;
const LUSAKA_AHEAD_MS = 2 * HOUR_MS;
const DATE_LENGTH = '2026-01-31'.length;

function lusakaDay(time: string): string {
  return new Date(Date.parse(time) + LUSAKA_AHEAD_MS).toISOString().slice(0, DATE_LENGTH);
}

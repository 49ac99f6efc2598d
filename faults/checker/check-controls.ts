import type { ControlFacts, ReceivedRecord } from '../journal/exchange-record.ts';
import { askedOf, checkApprovalsGiven, listHeld } from './check-approvals.ts';
import { checkDenials } from './check-denials.ts';
import { checkFiles, checkFilesApproved, sumOf } from './check-payout-files.ts';
import { checkPolicyLimits } from './check-policy-limits.ts';
import { checkScreenings } from './check-screenings.ts';
import { contentHashOf, fileHashOf } from './content-hash.ts';
import type { Exchange } from './read-journals.ts';
import { isObject } from './shown-transfers.ts';
import type { Snapshot } from './snapshot.ts';
import { type Found, report } from './violation.ts';

const OK = 200;
const CREATED = 201;

type Run = Readonly<{
  facts: ControlFacts | null;
  controls: readonly Exchange[];
  received: readonly ReceivedRecord[];
}>;

/** I28 to I35: the guarantees of policies, approvals, times, payout files, screeners and lists. */
export function checkControls(snapshot: Snapshot, run: Run, found: Found): void {
  checkApprovals(snapshot, found);
  checkApprovalsGiven(snapshot, found);
  checkTimes(snapshot, found);
  checkFiles(snapshot, found);
  if (run.facts === null) return;
  checkAcknowledged(snapshot, run.controls, found);
  checkAsked(snapshot, run.facts, found);
  checkRoles(snapshot, run.facts, found);
  checkFilesApproved(snapshot, run.facts, found);
  checkPolicyLimits(snapshot, run.facts, found);
  checkScreenings(snapshot, { facts: run.facts, received: run.received }, found);
  checkDenials(snapshot, { facts: run.facts, controls: run.controls }, found);
  checkNoneWaits(snapshot, run.facts, found);
}

/** I28 and I29: the paid content is the one that people approved, and none of them prepared it. */
function checkApprovals(snapshot: Snapshot, found: Found): void {
  const transfers = new Map(snapshot.transfers.map((transfer) => [transfer.id, transfer]));
  const files = new Map(snapshot.files.map((file) => [file.id, file]));
  const rowsOf = Map.groupBy(snapshot.fileRows, ({ fileId }) => fileId);
  for (const approval of snapshot.approvals) {
    const subject =
      approval.kind === 'transfer'
        ? transfers.get(approval.subjectId)
        : files.get(approval.subjectId);
    if (subject === undefined) {
      report(found, 'I28', { id: approval.subjectId }, 'a decision about nothing', { approval });
      continue;
    }
    const hash =
      'phone' in subject
        ? contentHashOf(subject)
        : fileHashOf(subject, rowsOf.get(subject.id) ?? []);
    if (hash !== approval.contentHash) {
      const says = 'a person decided about another content than is here now';
      report(found, 'I28', subject, says, { approval, hash });
    }
    const makers = [subject.madeBy, 'submittedBy' in subject ? subject.submittedBy : null];
    if (makers.includes(approval.personId)) {
      report(found, 'I29', subject, 'a person decided about their own work', { approval });
    }
  }
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

/** I28: each decision or order that was acknowledged is stored. */
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
    const needed = askedOf(transfer);
    if (needed === (isBig ? facts.approvals : 0)) continue;
    const says = `the policy asks for ${isBig ? facts.approvals : 0} approvals, and ${needed} were asked for`;
    report(found, 'I30', transfer, says, { transfer, facts });
  }
}

/** I30: an approval counts only from those whom the policy asks; where it asks for none, owners may look too. */
function checkRoles(snapshot: Snapshot, facts: ControlFacts, found: Found): void {
  const withRole = (role: string) =>
    new Set(facts.people.filter(({ roles }) => roles.includes(role)).map(({ id }) => id));
  const asked = withRole('approver');
  const owners = withRole('owner');
  const held = listHeld(snapshot);
  const ofBook = new Set(
    [...snapshot.transfers, ...snapshot.files]
      .filter(({ bookId }) => bookId === facts.bookId)
      .map(({ id }) => id),
  );
  const forOwners = new Set(
    [
      ...snapshot.transfers.filter((transfer) => held.has(transfer.id) || askedOf(transfer) === 0),
      ...snapshot.files.filter((file) => sumOf(snapshot, file) < facts.approvalFromMinor),
    ].map(({ id }) => id),
  );
  for (const approval of snapshot.approvals) {
    const { subjectId, personId, decision } = approval;
    if (!ofBook.has(subjectId) || decision === 'reject' || asked.has(personId)) continue;
    if (forOwners.has(subjectId) && owners.has(personId)) continue;
    const says = 'a person approved whom the policy does not ask';
    report(found, 'I30', { id: subjectId }, says, { approval });
  }
}

/** I30: at the end people go through all that waits, as often as there is something. */
function checkNoneWaits(snapshot: Snapshot, facts: ControlFacts, found: Found): void {
  for (const subject of [...snapshot.transfers, ...snapshot.files]) {
    if (subject.bookId !== facts.bookId || subject.state !== 'awaiting_approval') continue;
    report(found, 'I30', subject, 'it still waits although all were asked', { subject });
  }
}

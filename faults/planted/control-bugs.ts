import type { ControlsFocus } from '../plan/plan-size.ts';
import { about, type PlantedBug } from './planted-bug.ts';

const JUDGE = 'service/src/approvals/judge-approvals.ts';
const DECIDE = 'service/src/approvals/transfers/decide-transfer.ts';
const COMMIT = 'service/src/transfers/accept/commit-transfers.ts';
const MATCH = 'service/src/domain/policy/match-rule.ts';
const FILES = 'service/src/payout-files';
/** A merchant with a policy, whose operator pays; other payouts hardly matter. */
const CONTROLLED = {
  controlledPerMille: 1_000,
  operators: ['mtn'],
  livePerMille: 0,
  mix: { ok: 1 },
} as const;
const SLOW_SCREENER = { http500: 0, slow: 1_000, hang: 0, reset: 0, slowScreeningMs: 700 };
const FEW_OTHERS = { clientsMin: 1, clientsMax: 1, ordersPerClient: 4 };
const CALM = about(CONTROLLED, FEW_OTHERS);
const calmWith = (controls: ControlsFocus) => about({ ...CONTROLLED, controls }, FEW_OTHERS);
const TWO_PROCESSES = about({ ...CONTROLLED, database: 'shared', services: 2 }, FEW_OTHERS);

/** Bugs in policies, approvals, times and payout files. */
export const CONTROL_BUGS: readonly PlantedBug[] = [
  {
    name: 'a person may decide about what they prepared',
    edits: [
      {
        file: JUDGE,
        old: 'return makerIds.includes(personId);',
        new: 'return makerIds.slice(1).includes(personId);',
      },
      {
        file: 'service/migrations/cell/0060_makers.sql',
        old: 'if new.person_id = any (people_behind(new.book_id, codes)) then',
        new: 'if false then',
      },
    ],
    breaks: ['I29'],
    size: CALM,
  },
  {
    name: 'one approval is enough, however many are asked for',
    edits: [
      {
        file: JUDGE,
        old: 'isEnough: open.length === 0 && !isScreened,',
        new: 'isEnough: filled > 0 && !isScreened,',
      },
    ],
    breaks: ['I30'],
    size: calmWith({ needsTwo: true }),
  },
  {
    name: 'any person with a role in the book counts as an approver',
    edits: [
      {
        file: 'service/src/domain/policy/assign-approvals.ts',
        old: 'if (!person.roles.some((role) => of.includes(role))) continue;',
        new: 'if (person.roles.length === 0 || of.length === 0) continue;',
      },
    ],
    breaks: ['I30'],
    size: CALM,
  },
  {
    name: 'the content that a person was shown is not compared with what is approved',
    edits: [
      {
        file: 'service/src/approvals/record-decision.ts',
        old: `  if (request.contentHash !== subject.contentHash) throw refuse('CONTENT_CHANGED');\n`,
        new: '',
      },
    ],
    breaks: ['I28'],
    size: CALM,
  },
  {
    name: 'a decision is answered before it is committed',
    edits: [
      {
        file: DECIDE,
        old: '  await deps.database.transaction(async (tx) => {\n    await tx.query(DECIDE_ONE_BY_ONE, [id]);',
        new: '  void deps.database.transaction(async (tx) => {\n    await tx.query(DECIDE_ONE_BY_ONE, [id]);',
      },
    ],
    breaks: ['I28'],
    size: about(
      { ...CONTROLLED, database: 'shared', faults: ['kill service', 'kill backend'] },
      { ...FEW_OTHERS, faultsMin: 6, faultsMax: 6 },
    ),
  },
  {
    name: 'a rejected payout goes on waiting for approvals',
    edits: [
      {
        file: DECIDE,
        old: `return endWaiting(transfer, { as: 'APPROVAL_REJECTED', actor, detail: request.reason });`,
        new: 'return undefined;',
      },
    ],
    breaks: ['I30'],
    size: CALM,
  },
  {
    name: 'two people who approve at once do not see each other',
    edits: [
      {
        file: DECIDE,
        old: '? await lockWaiting(tx, book, id)',
        new: '? (await findWaiting(tx, book, [id]))[0]',
      },
      { file: DECIDE, old: 'await tx.query(DECIDE_ONE_BY_ONE, [id]);', new: '' },
    ],
    breaks: ['I30'],
    size: about(
      { ...CONTROLLED, database: 'shared', services: 2, controls: { needsTwo: true } },
      FEW_OTHERS,
    ),
  },
  {
    name: 'an approved payout no longer waits for its time',
    edits: [
      {
        file: 'service/src/approvals/transfers/leave-waiting.ts',
        old: 'if (!isDue) {',
        new: 'if (!isDue && !isApproved) {',
      },
    ],
    breaks: ['I31'],
    size: CALM,
  },
  {
    name: 'an approved file no longer waits for its time',
    edits: [
      {
        file: `${FILES}/file-approvals.ts`,
        old: 'due: row.is_due ? AT_ONCE : row.pay_at,',
        new: 'due: AT_ONCE,',
      },
      {
        file: `${FILES}/file-approvals.ts`,
        old: `to: row.is_due ? 'paying' : 'scheduled',`,
        new: `to: 'paying',`,
      },
    ],
    breaks: ['I31'],
    size: calmWith({ schedulesFile: true }),
  },
  {
    name: 'a sum is compared with its limit before the payout itself is added',
    edits: [
      {
        file: MATCH,
        old: 'answers.sumMinor(need) + order.amountMinor > aboveMinor',
        new: 'answers.sumMinor(need) > aboveMinor',
      },
    ],
    breaks: ['I33'],
    size: CALM,
  },
  {
    name: 'a count is one too many',
    edits: [
      {
        file: MATCH,
        old: 'answers.count(need) + 1 > above',
        new: 'answers.count(need) > above',
      },
    ],
    breaks: ['I33'],
    size: CALM,
  },
  {
    name: 'accepted payouts are not counted for the limits',
    edits: [
      {
        file: COMMIT,
        old: `group.filter((_, index) => decisions[index]?.kind === 'accepted'),`,
        new: `group.filter((_, index) => decisions[index]?.kind === 'replayed'),`,
      },
    ],
    breaks: ['I33'],
    size: CALM,
  },
  {
    name: 'what counts for a limit is read before the book is locked',
    edits: [
      {
        file: COMMIT,
        old: '  const lockedAt = await lockBooks(tx, group);\n',
        new: '  const read = await readJudge(tx, group, deps.now());\n  const lockedAt = await lockBooks(tx, group);\n',
      },
      { file: COMMIT, old: 'group, await readJudge(tx, group, at))', new: 'group, read)' },
    ],
    breaks: ['I33'],
    size: TWO_PROCESSES,
  },
  {
    name: 'a new version of the policy begins to count at zero',
    edits: [
      {
        file: 'service/src/policies/fill-counters.ts',
        old: 'for (const counted of distinctCounters(policy.counted)) {',
        new: 'for (const counted of distinctCounters(policy.counted).slice(1)) {',
      },
    ],
    breaks: ['I33'],
    size: calmWith({ republishes: true }),
  },
  {
    name: 'a row of a file has a new reference at every try',
    edits: [
      {
        file: `${FILES}/row-reference.ts`,
        old: 'return `file-${name}-${number}`',
        new: 'return `file-${name}-${number}-${Date.now()}`',
      },
    ],
    breaks: ['I32'],
    size: about(
      { ...CONTROLLED, database: 'shared', failpoints: 'file-rows-paid:kill:0.7;1' },
      FEW_OTHERS,
    ),
  },
  {
    name: 'a file is done while rows of it wait',
    edits: [
      {
        file: `${FILES}/advance-file.ts`,
        old: 'if (left.waiting === 0 && left.transfers === left.inDoubt) return end',
        new: 'if (left.transfers === left.inDoubt) return end',
      },
    ],
    breaks: ['I32'],
    size: CALM,
  },
  {
    name: 'rows of an approved file are paid in whole units',
    edits: [
      {
        file: `${FILES}/pay-rows.ts`,
        old: 'amountMinor: row.amountMinor,',
        new: 'amountMinor: row.amountMinor - (row.amountMinor % 100n) || 1n,',
      },
    ],
    breaks: ['I32'],
    size: CALM,
  },
  {
    name: 'people approve a file without the amounts of its rows',
    edits: [
      {
        file: `${FILES}/file-content.ts`,
        old: '    amountMinor: String(amountMinor),\n',
        new: '',
      },
    ],
    breaks: ['I28'],
    size: CALM,
  },
  {
    name: 'the rows of a file are judged, its sum is not',
    edits: [
      {
        file: `${FILES}/judge-file.ts`,
        old: `if (whole !== undefined) await this.#judgeTotal(whole, 'file');`,
        new: `if (totals.length > 9 && whole !== undefined) await this.#judgeTotal(whole, 'file');`,
      },
      {
        file: `${FILES}/judge-file.ts`,
        old: `for (const total of totals) await this.#judgeTotal(total, 'operator');`,
        new: '',
      },
    ],
    breaks: ['I30'],
    size: CALM,
  },
  {
    name: 'a screener that cannot be understood lets a payout leave',
    edits: [
      {
        file: 'service/src/screening/read-decision.ts',
        old: `return { decision: 'hold', reason: why };`,
        new: `return { decision: 'allow', reason: why };`,
      },
    ],
    breaks: ['I34'],
    size: CALM,
  },
  {
    name: 'a payout with its approvals no longer waits for its screener',
    edits: [
      {
        file: JUDGE,
        old: 'isEnough: open.length === 0 && !isScreened,',
        new: 'isEnough: open.length === 0,',
      },
    ],
    // One that its screener holds wants an approval more, which it is sent without.
    breaks: ['I30', 'I34'],
    // People are faster than this screener, on a busy machine too.
    size: about({ ...CONTROLLED, receiver: SLOW_SCREENER }, FEW_OTHERS),
  },
  {
    name: 'a payout that a screener refuses leaves',
    edits: [
      {
        file: 'service/src/screening/record-answer.ts',
        old: `endWaiting(found.transfer, { as: 'SCREENING_REFUSED', actor: ACTOR, detail }),`,
        new: `leaveWaiting(deps.routes, found, { actor: ACTOR, isApproved: detail === '' }),`,
      },
    ],
    breaks: ['I34'],
    size: CALM,
  },
  {
    name: 'people may approve a payout to a number that is denied now',
    edits: [
      {
        file: DECIDE,
        old: `if (decision === 'approve') await refuseDenied(tx, found.transfer);`,
        new: `if (decision === 'reject') await refuseDenied(tx, found.transfer);`,
      },
    ],
    breaks: ['I35'],
    size: calmWith({ denies: true }),
  },
  {
    name: 'a payout whose number was denied leaves when its time comes',
    edits: [
      {
        file: 'service/src/transfers/move/held-back.ts',
        old: 'if (isDenied) return',
        new: 'if (isDenied && isLate === true) return',
      },
    ],
    breaks: ['I35'],
    size: calmWith({ denies: true }),
  },
];

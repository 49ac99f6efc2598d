import type { PersonActor } from '../domain/actor.ts';
import { formatMinor } from '../domain/money.ts';
import { parsePolicy } from '../domain/policy/parse-policy.ts';
import { addEntry } from '../lists/add-entry.ts';
import { publishDraft } from '../policies/publish-draft.ts';
import { saveDraft } from '../policies/save-draft.ts';
import { createSchedule } from '../schedules/create-schedule.ts';
import type { ScheduleRow } from '../schedules/schedule.ts';
import type { DemoActors } from './demo-actors.ts';
import type { HistoryStep } from './history-clock.ts';
import { type PayoutScene, walletOf } from './history-payouts.ts';
import type { PlannedPayout } from './plan-payouts.ts';
import { uploadFile } from './upload-file.ts';

const ROWS = 12;
const DENIED = { phone: '+260977000911', reason: 'Reported stolen by its owner' };
const ALLOWED = { phone: '+260966000120', reason: 'The pharmacy: its sums are large every month' };

const POLICY = {
  rules: [
    {
      name: 'large payouts',
      when: { amountAtLeast: '20000.00' },
      require: { approvals: 1, of: ['approver', 'owner'] },
    },
    {
      name: 'paid before',
      when: { similarWithin: 'PT24H' },
      require: { warn: true },
    },
  ],
};
/** Only where two people are there to approve: a policy that asks for more is refused. */
const FILES_RULE = {
  name: 'large files',
  when: { amountAtLeast: '5000.00', source: ['file'] },
  require: { approvals: 2, of: ['approver', 'owner'] },
};
const NEXT_RULE = {
  name: 'first payment to a number',
  when: { firstPayment: true, amountAtLeast: '1000.00' },
  require: { warn: true },
};

/**
 * What people prepare and decide: lists of numbers, rules, a schedule, and a file with mistakes to correct. After all
 * payouts, so that none of them is judged by these rules.
 */
export function planControlSteps(
  scene: PayoutScene,
  payouts: readonly PlannedPayout[],
  { owner, maker, approver }: DemoActors,
): readonly HistoryStep[] {
  const { now: at } = scene;
  const rows = salariesOf(payouts).slice(0, ROWS);
  const rules = approver === undefined ? POLICY.rules : [...POLICY.rules, FILES_RULE];
  const ofOwner = (act: (owner: PersonActor) => Promise<void>) =>
    owner === undefined ? [] : [{ at, happen: () => act(owner) }];
  const ofMaker = (act: (maker: PersonActor) => Promise<void>) =>
    maker === undefined ? [] : [{ at, happen: () => act(maker) }];
  return [
    ...ofOwner((actor) => listNumbers(scene, actor)),
    ...ofMaker((actor) => schedule(scene, { actor, rows })),
    ...ofMaker((actor) => upload(scene, { actor, rows })),
    ...ofOwner((actor) => writePolicy(scene, { actor, rules })),
  ];
}

/** The last payees of salaries, each once. */
export function salariesOf(payouts: readonly PlannedPayout[]): readonly ScheduleRow[] {
  const rows = new Map<string, ScheduleRow>();
  for (const { wallet, payee, amountMinor } of payouts.toReversed()) {
    if (wallet !== 'salaries') continue;
    const { phone, operator, country, name: recipientName } = payee;
    rows.set(phone, { phone, operator, country, amountMinor, recipientName, narration: 'Salary' });
  }
  return [...rows.values()];
}

async function listNumbers({ past, book }: PayoutScene, actor: PersonActor): Promise<void> {
  const owner = { bookId: book.id, merchantId: book.merchantId };
  const entry = { actor, owner, expiresAt: null };
  await addEntry(past, { ...entry, list: 'deny', ...DENIED });
  await addEntry(past, { ...entry, list: 'allow', ...ALLOWED });
}

/** One in force, and a draft with one rule more. */
async function writePolicy(
  { past, book }: PayoutScene,
  { actor, rules }: Readonly<{ actor: PersonActor; rules: readonly unknown[] }>,
): Promise<void> {
  const save = async (document: { rules: readonly unknown[] }) => {
    const parsed = parsePolicy(document);
    if (!parsed.isValid) throw new Error(`a demo policy: ${JSON.stringify(parsed.problems)}`);
    await saveDraft(past, { actor, book, document, policy: parsed.policy, replaces: undefined });
  };
  await save({ rules });
  await publishDraft(past, { actor, book, contentHash: undefined });
  await save({ rules: [...rules, NEXT_RULE] });
}

type Prepared = Readonly<{ actor: PersonActor; rows: readonly ScheduleRow[] }>;

async function schedule({ past, book, wallets }: PayoutScene, { actor, rows }: Prepared) {
  await createSchedule(past, {
    book,
    actor,
    order: {
      name: 'Salaries',
      walletId: walletOf(wallets, 'salaries'),
      recurrence: { every: 'month', day: 'last_working_day', at: '08:00', ifHoliday: 'before' },
    },
    rows: { kind: 'given', rows },
  });
}

/** The running service checks it, or the next one that starts. One number lacks a digit, and one amount is a word. */
async function upload(scene: PayoutScene, { actor, rows }: Prepared): Promise<void> {
  const lines = rows.map(({ phone, amountMinor, recipientName }, index) => ({
    name: recipientName,
    phone: index === 3 ? phone.slice(0, -1) : phone,
    amount: index === 7 ? 'same as last week' : formatMinor(amountMinor),
  }));
  await uploadFile(scene, { actor, name: 'Site workers', lines });
}

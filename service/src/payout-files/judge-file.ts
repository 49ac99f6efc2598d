import type { ControlSnapshots } from '../controls/control-snapshots.ts';
import type { Controls } from '../controls/controls.ts';
import { type Judgement, judge } from '../controls/judge.ts';
import { type ControlledOrder, readPastAnswers } from '../controls/past-answers.ts';
import type { ApprovalRequirement } from '../domain/approval-requirement.ts';
import type { Book } from '../domain/book.ts';
import type { Order } from '../domain/policy/order.ts';
import { APPROVAL_EXPIRES_AFTER_DEFAULT_MS } from '../domain/policy/policy.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Queryable } from '../postgres/database.ts';
import type { FileOrder, RowContent } from './file-content.ts';
import type { RowReferences } from './row-reference.ts';
import type { SubmittedBy } from './submitted-file.ts';
import { controlsOfTotal, type Total } from './total-rules.ts';

/** Refused rows that an answer names; of more it says that there are more. */
const REFUSED_ROWS_SHOWN_MAX = 20;

export type JudgeDeps = Readonly<{
  database: Queryable;
  controls: ControlSnapshots;
  now: () => Date;
}>;

/** What the policy asks for a file: each rule once, whether rows or the total match it. */
export type FileJudgement = Readonly<{
  policyVersion: number | null;
  rules: readonly string[];
  approvals: readonly ApprovalRequirement[];
  expiresAfterMs: number;
}>;

/** Judges a file by the controls of its book: rows are added page by page, then the file as a whole is judged. */
export type FileJudge = Readonly<{
  add(rows: readonly RowContent[]): Promise<void>;
  /** Throws the refusal of rows, or of the file. */
  finish(): Promise<FileJudgement>;
}>;

type Judged = Readonly<{
  book: Book;
  maker: SubmittedBy;
  source: 'file' | 'schedule';
  references: RowReferences;
  order: FileOrder & Readonly<{ walletId: string }>;
}>;

const NO_CONTROLS: FileJudge = {
  add: async () => undefined,
  finish: async () => ({
    policyVersion: null,
    rules: [],
    approvals: [],
    expiresAfterMs: APPROVAL_EXPIRES_AFTER_DEFAULT_MS,
  }),
};

/**
 * Decides without locks, by what is in force and was paid until now. When rows are paid they are judged once more, under
 * locks: what became too much by then is refused, or waits by itself.
 */
export async function createFileJudge(deps: JudgeDeps, judged: Judged): Promise<FileJudge> {
  const controls = await deps.controls.findCurrent(judged.book.id);
  return controls === null ? NO_CONTROLS : new ControlledFile(deps, judged, controls);
}

class ControlledFile implements FileJudge {
  readonly #deps: JudgeDeps;
  readonly #judged: Judged;
  readonly #controls: Controls;
  readonly #at: Date;
  readonly #matched = new Set<string>();
  readonly #refused: Readonly<{ row: number; refusal: Refusal }>[] = [];
  #refusedCount = 0;
  readonly #byOperator = new Map<RowContent['operator'], Total>();

  constructor(deps: JudgeDeps, judged: Judged, controls: Controls) {
    this.#deps = deps;
    this.#judged = judged;
    this.#controls = controls;
    this.#at = deps.now();
  }

  async add(rows: readonly RowContent[]): Promise<void> {
    const orders = rows.map((row) => this.#order(this.#controls, row, row.amountMinor));
    const past = await readPastAnswers(this.#deps.database, orders, this.#at);
    for (const [index, row] of rows.entries()) {
      const one = orders[index];
      if (one === undefined) continue;
      const judgement = judge(this.#controls, one.order, past.knowledgeOf(one));
      past.remember(one);
      this.#note(judgement);
      if (judgement.refusal !== null) this.#refuse(row.number, judgement.refusal);
      this.#count(row);
    }
  }

  async finish(): Promise<FileJudgement> {
    if (this.#refusedCount > 0) throw this.#refusal();
    const totals = [...this.#byOperator.values()];
    for (const total of totals) await this.#judgeTotal(total, 'operator');
    const whole = addUp(totals);
    if (whole !== undefined) await this.#judgeTotal(whole, 'file');
    const { policy, policyVersion } = this.#controls;
    const rules = (policy?.rules ?? []).filter(({ name }) => this.#matched.has(name));
    return {
      policyVersion,
      rules: rules.map(({ name }) => name),
      approvals: rules.flatMap(({ name, require: { approvals } }) =>
        approvals === null ? [] : [{ rule: name, ...approvals }],
      ),
      expiresAfterMs: policy?.policy.approvalExpiresAfterMs ?? APPROVAL_EXPIRES_AFTER_DEFAULT_MS,
    };
  }

  /** Judges many rows as if they were one order, of the sum of their amounts. */
  async #judgeTotal({ first, count, sumMinor }: Total, of: 'operator' | 'file'): Promise<void> {
    const controls = controlsOfTotal(this.#controls, of);
    const one = this.#order(controls, first, sumMinor);
    const past = await readPastAnswers(this.#deps.database, [one], this.#at);
    const { answers, ...knowledge } = past.knowledgeOf(one);
    const judgement = judge(controls, one.order, {
      ...knowledge,
      // The order itself is counted as one: the other rows are too.
      answers: { ...answers, count: (need) => answers.count(need) + count - 1 },
    });
    this.#note(judgement);
    if (judgement.refusal === null) return;
    const { rule } = judgement.refusal.detail;
    throw refuse(judgement.refusal.code, {
      message: `The rule "${rule ?? ''}" refuses the file as a whole. Nothing was submitted.`,
      ...(rule === undefined ? {} : { rule }),
    });
  }

  #order(controls: Controls, row: RowContent, amountMinor: bigint): ControlledOrder {
    const { book } = this.#judged;
    return {
      bookId: book.id,
      controls,
      order: orderOf(this.#judged, row, { amountMinor, at: this.#at }),
      nameMatch: row.nameMatch,
      preApproved: [],
    };
  }

  #note({ rules }: Judgement): void {
    for (const name of rules) this.#matched.add(name);
  }

  #count(row: RowContent): void {
    const total = this.#byOperator.get(row.operator) ?? { first: row, count: 0, sumMinor: 0n };
    const { first, count, sumMinor } = total;
    this.#byOperator.set(row.operator, {
      first,
      count: count + 1,
      sumMinor: sumMinor + row.amountMinor,
    });
  }

  #refuse(row: number, refusal: Refusal): void {
    this.#refusedCount += 1;
    if (this.#refused.length < REFUSED_ROWS_SHOWN_MAX) this.#refused.push({ row, refusal });
  }

  #refusal(): Error {
    const [first] = this.#refused;
    if (first === undefined) throw new Error('no row was refused');
    const rows = this.#refused.map(({ row }) => row).join(', ');
    const more = this.#refusedCount > this.#refused.length ? ' and more' : '';
    const { code, detail } = first.refusal;
    const why = code === 'RECIPIENT_DENIED' ? 'a deny list' : `the rule "${detail.rule ?? ''}"`;
    return refuse(code, {
      message: `Refused by ${why}: rows ${rows}${more}. Correct or drop them. Nothing was submitted.`,
      ...(detail.rule === undefined ? {} : { rule: detail.rule }),
      data: { rows: this.#refused.map(({ row, refusal }) => ({ row, code: refusal.code })) },
    });
  }
}

function addUp(totals: readonly Total[]): Total | undefined {
  return totals.reduce<Total | undefined>(
    (whole, { first, count, sumMinor }) => ({
      first: whole?.first ?? first,
      count: (whole?.count ?? 0) + count,
      sumMinor: (whole?.sumMinor ?? 0n) + sumMinor,
    }),
    undefined,
  );
}

function orderOf(
  { order, maker, source, references }: Judged,
  row: RowContent,
  { amountMinor, at }: Readonly<{ amountMinor: bigint; at: Date }>,
): Order {
  return {
    amountMinor,
    currency: order.currency,
    phone: row.phone,
    operator: row.operator,
    country: row.country,
    walletId: order.walletId,
    keyId: maker.keyId,
    personId: maker.personId,
    source,
    metadata:
      references === 'given' || row.givenReference === null
        ? null
        : { reference: row.givenReference },
    recipientName: row.recipientName,
    at,
    sendAt: order.payAt,
  };
}

import { type CheckedRow, checkRow, type RowRules } from './check-row.ts';
import type { RowCells } from './row-fields.ts';
import type { RowProblem, RowWarning } from './row-problem.ts';

/** A row as it is in a file. */
export type TableRow = Readonly<{
  /** Its line, or its row of the sheet, as people count them. */
  line: number;
  texts: RowCells;
  isHidden: boolean;
}>;

/**
 * Checks the rows of one file in order. The first row that tells a wallet or a currency decides for those after it, where
 * neither was chosen before.
 */
export class FileChecker {
  #rules: RowRules;
  readonly #firstByPayout = new Map<string, number>();
  readonly #firstByReference = new Map<string, number>();

  constructor(rules: RowRules) {
    this.#rules = rules;
  }

  get rules(): RowRules {
    return this.#rules;
  }

  check(number: number, { texts, isHidden }: TableRow): CheckedRow {
    const row = checkRow(texts, this.#rules);
    this.#learn(row);
    const { phone, amountMinor, givenReference } = row;
    const payout = phone === null || amountMinor === null ? null : `${phone} ${amountMinor}`;
    const same = findFirst(this.#firstByPayout, payout, number);
    const sameReference = findFirst(this.#firstByReference, givenReference, number);
    const mustDiffer = sameReference !== null && this.#rules.ownReferences;
    const more: readonly (RowWarning | null)[] = [
      same === null ? null : { code: 'SAME_IN_FILE', field: 'phone', row: same },
      sameReference === null || mustDiffer
        ? null
        : { code: 'SAME_REFERENCE', field: 'reference', row: sameReference },
      isHidden ? { code: 'HIDDEN_ROW', field: 'phone' } : null,
    ];
    return {
      ...row,
      problems: mustDiffer ? [...row.problems, REPEATED] : row.problems,
      warnings: [...row.warnings, ...more.filter((warning) => warning !== null)],
    };
  }

  #learn({ walletId, currency }: CheckedRow): void {
    if (this.#rules.walletId === null && walletId !== null) {
      const ofWallet = this.#rules.wallets[walletId] ?? null;
      this.#rules = { ...this.#rules, walletId, currency: this.#rules.currency ?? ofWallet };
    }
    if (this.#rules.currency === null && currency !== null) {
      this.#rules = { ...this.#rules, currency };
    }
  }
}

const REPEATED: RowProblem = { code: 'REFERENCE_REPEATED', field: 'reference' };

/** The first row with this key; null: this is the first, or it has none. */
function findFirst(known: Map<string, number>, key: string | null, number: number): number | null {
  if (key === null) return null;
  const first = known.get(key);
  if (first === undefined) known.set(key, number);
  return first ?? null;
}

import { ownerOfPrefix } from '../../../../service/src/domain/number-prefix.ts';
import { isCountry, OPERATORS } from '../../../../service/src/domain/operator.ts';
import type { Schedule } from '../../api/schedule-types.ts';
import { addAmounts } from '../../format/format-amount.ts';
import { readAmount } from '../../format/read-amount.ts';
import { schedules } from '../../texts/en/schedules.ts';

const texts = schedules.form;

export type RowDraft = Readonly<{
  /** Tells rows apart while they are typed. */
  key: number;
  phone: string;
  /** Chosen by the reader; empty: as the number says. */
  operator: string;
  amount: string;
  name: string;
}>;

/** The inputs of the form of a schedule, as typed. */
export type ScheduleDraft = Readonly<{
  name: string;
  walletId: string;
  every: string;
  day: string;
  at: string;
  ifHoliday: string;
  /** Where the list comes from; `keep`: a change leaves it as it is. */
  source: string;
  fileId: string;
  rows: readonly RowDraft[];
}>;

export const EMPTY_ROW: RowDraft = { key: 0, phone: '', operator: '', amount: '', name: '' };

export function beginDraft(schedule: Schedule | undefined): ScheduleDraft {
  const empty = { fileId: '', rows: [EMPTY_ROW] };
  if (schedule === undefined) {
    return {
      ...empty,
      name: '',
      walletId: '',
      every: 'month',
      day: 'last_working_day',
      at: '08:30',
      ifHoliday: 'before',
      source: 'typed',
    };
  }
  const { name, walletId, recurrence } = schedule;
  const { every, day, at, ifHoliday } = recurrence;
  return { ...empty, name, walletId, every, day: String(day), at, ifHoliday, source: 'keep' };
}

/** The operator that the range of a number belongs to; empty: not known. */
export function operatorOf(phone: string, country: string): string {
  const national = phone.replace(/\D/g, '').replace(/^(?:(?:00)?(?:260|234)|0)/, '');
  const owner = isCountry(country) ? ownerOfPrefix(national, country) : undefined;
  return OPERATORS.find((one) => one === owner) ?? '';
}

/** The operator that is paid by: the chosen one, else that of the number. */
export function operatorIn({ operator, phone }: RowDraft, country: string): string {
  return operator === '' ? operatorOf(phone, country) : operator;
}

/** Why it cannot be stored yet. */
export function missingIn(draft: ScheduleDraft, country: string): string | undefined {
  if (draft.name.trim() === '') return texts.needsName;
  if (draft.source === 'file' && draft.fileId === '') return texts.needsFile;
  const isWhole = draft.rows.every(
    (row) =>
      row.phone.trim() !== '' &&
      operatorIn(row, country) !== '' &&
      readAmount(row.amount).amount !== undefined,
  );
  return draft.source === 'typed' && !isWhole ? texts.needsRows : undefined;
}

/** The body of the call. */
export function toBody(
  draft: ScheduleDraft,
  { walletId, country }: Readonly<{ walletId: string; country: string }>,
) {
  const { every, day, at, ifHoliday, source } = draft;
  return {
    name: draft.name.trim(),
    walletId,
    recurrence: { every, day: /^\d+$/.test(day) ? Number(day) : day, at, ifHoliday },
    ...(source === 'file' ? { payoutFileId: draft.fileId } : {}),
    ...(source === 'typed'
      ? {
          rows: draft.rows.map((row) => ({
            phone: row.phone.trim(),
            operator: operatorIn(row, country),
            country,
            amount: Number(readAmount(row.amount).amount),
            recipientName: row.name.trim() === '' ? null : row.name.trim(),
          })),
        }
      : {}),
  };
}

/** Of the rows whose amount can be read. */
export function sumOf(rows: readonly RowDraft[]): string {
  return addAmounts(rows.map(({ amount }) => readAmount(amount).amount ?? '0'));
}

import { useRef, useState } from 'react';
import type { PayoutRow, RowField } from '../../api/payout-file-types.ts';
import { oneAfterAnother } from '../../app/one-after-another.ts';
import { formatOperator } from '../../format/format-operator.ts';
import { sayError } from '../../parts/failure.tsx';
import { useUnstored } from '../../parts/half-typed.tsx';
import { files } from '../../texts/en/files.ts';
import { useRowActs } from './file-context.ts';
import { useRefreshFile } from './use-file.ts';

const texts = files.row;
const TEXT_LENGTH_MAX = 400;
const OPERATORS = ['airtel', 'mtn', 'zamtel', 'vodacom'];

/** Whether the field stands as an input: it is wrong, it was corrected, or the reader opened the row. */
export function useIsCorrectable(row: PayoutRow, field: RowField): boolean {
  const { isDraft, inactive, opened } = useRowActs();
  if (!isDraft || inactive !== undefined || row.state === 'dropped') return false;
  return (
    row.problems.some((problem) => problem.field === field) ||
    row.corrections[field] !== undefined ||
    opened.has(row.number)
  );
}

type Given = Readonly<{ row: PayoutRow; field: RowField }>;

/** A field of a row in its place. It is stored and checked when the reader leaves it or presses Enter. */
export function CorrectField({ row, field }: Given) {
  const { correct } = useRowActs();
  const refresh = useRefreshFile();
  const inFile = row.cells[field] ?? '';
  const stored = row.corrections[field] ?? inFile;
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<unknown>();
  useUnstored(typed !== undefined && typed !== stored);
  const isWrong = row.problems.some((problem) => problem.field === field);
  const sent = useRef<string>(undefined);
  // Saved one after the other: if two saves overtook each other, the older text would stay.
  const [inTurn] = useState(oneAfterAnother);
  const store = async (text: string) => {
    // Enter stores, and leaving the field stores again.
    if (text === (sent.current ?? stored))
      return setTyped((now) => (now === stored ? undefined : now));
    sent.current = text;
    setTyped(text);
    setError(undefined);
    try {
      await inTurn(() => correct(row, field, text));
      // Text typed in the meantime is kept.
      setTyped((now) => (now === text ? undefined : now));
    } catch (refusal) {
      setError(refusal);
      // Another person may have changed or submitted it.
      await refresh();
    } finally {
      if (sent.current === text) sent.current = undefined;
    }
  };
  const common = {
    'aria-label': texts.fieldLabel(texts.fields[field], row.number),
    'aria-invalid': isWrong || error !== undefined ? (true as const) : undefined,
    value: typed ?? stored,
  };
  return (
    <span className="two">
      {field === 'operator' ? (
        <select
          {...common}
          className="select input-sm"
          onChange={({ target }) => void store(target.value)}
        >
          {[...new Set(['', stored, ...OPERATORS])].map((value) => (
            <option key={value} value={value}>
              {value === '' ? texts.byNumber : formatOperator(value)}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...common}
          className="input input-sm"
          type="text"
          autoComplete="off"
          maxLength={TEXT_LENGTH_MAX}
          inputMode={field === 'amount' ? 'decimal' : field === 'phone' ? 'tel' : 'text'}
          onChange={({ target }) => setTyped(target.value)}
          onBlur={({ target }) => void store(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void store(event.currentTarget.value);
            if (event.key === 'Escape') {
              setTyped(undefined);
              setError(undefined);
            }
          }}
        />
      )}
      {row.corrections[field] !== undefined && <small>{texts.inFile(inFile)}</small>}
      {error !== undefined && (
        <span className="bad-ink small" role="alert">
          {sayError(error)}
        </span>
      )}
    </span>
  );
}

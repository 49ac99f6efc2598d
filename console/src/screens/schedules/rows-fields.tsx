import { OPERATORS } from '../../../../service/src/domain/operator.ts';
import { GIVEN_ROWS_MAX } from '../../../../service/src/schedules/schedule.ts';
import { formatOperator } from '../../format/format-operator.ts';
import { readAmount } from '../../format/read-amount.ts';
import { Button } from '../../parts/button.tsx';
import { AmountField, SelectField, TextField } from '../../parts/field.tsx';
import { pay } from '../../texts/en/pay.ts';
import { schedules } from '../../texts/en/schedules.ts';
import { EMPTY_ROW, operatorIn, operatorOf, type RowDraft } from './schedule-draft.ts';

const texts = schedules.form;

type Given = Readonly<{
  rows: readonly RowDraft[];
  country: string;
  currency: string;
  onChange: (rows: readonly RowDraft[]) => void;
}>;

/** A short list, typed here. A long one comes from a payout file. */
export function RowsFields({ rows, country, currency, onChange }: Given) {
  const set = (index: number, change: Partial<RowDraft>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...change } : row)));
  const nextKey = Math.max(0, ...rows.map(({ key }) => key)) + 1;
  return (
    <>
      {rows.map((row, index) => (
        <fieldset key={row.key} className="schedule-row">
          <legend>{texts.row(index + 1)}</legend>
          <TextField
            label={texts.phone}
            type="tel"
            autoComplete="off"
            value={row.phone}
            onChange={(phone) => set(index, { phone })}
          />
          <SelectField
            label={texts.operator}
            value={operatorIn(row, country)}
            help={sayOther(row, country)}
            options={[
              ...(operatorIn(row, country) === '' ? [{ value: '', label: '' }] : []),
              ...OPERATORS.map((one) => ({ value: one, label: formatOperator(one) })),
            ]}
            onChange={(operator) => set(index, { operator })}
          />
          <AmountField
            label={texts.amount}
            currency={currency}
            value={row.amount}
            problem={readAmount(row.amount).problem}
            onChange={(amount) => set(index, { amount })}
          />
          <TextField
            label={texts.recipient}
            isOptional
            autoComplete="off"
            maxLength={100}
            value={row.name}
            onChange={(name) => set(index, { name })}
          />
          {rows.length > 1 && (
            <Button
              size="sm"
              aria-label={texts.dropRow(index + 1)}
              icon="close"
              onClick={() => onChange(rows.filter((_, at) => at !== index))}
            />
          )}
        </fieldset>
      ))}
      {rows.length < GIVEN_ROWS_MAX && (
        <div className="actions">
          <Button
            size="sm"
            icon="plus"
            onClick={() => onChange([...rows, { ...EMPTY_ROW, key: nextKey }])}
          >
            {texts.addRow}
          </Button>
        </div>
      )}
    </>
  );
}

/** That another operator was chosen than the number says. */
function sayOther({ phone, operator }: RowDraft, country: string): string | undefined {
  const predicted = operatorOf(phone, country);
  if (operator === '' || predicted === '' || operator === predicted) return undefined;
  return pay.predictedOther(formatOperator(predicted));
}

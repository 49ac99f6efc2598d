import type { PayoutFile } from '../../api/payout-file-types.ts';
import { addAmounts, formatAmount, formatCount } from '../../format/format-amount.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { Operator, Tag } from '../../parts/words.tsx';
import { files } from '../../texts/en/files.ts';

const texts = files.operators;

/** Count and sum for each operator, compared with its limits and float. */
export function OperatorsCard({ file }: Readonly<{ file: PayoutFile }>) {
  const { operators, currency, state } = file;
  // Limits and float do not matter once all payouts have ended.
  const isOver = state === 'done' || state === 'cancelled';
  if (operators.length === 0 || currency === null) return null;
  return (
    <Card title={texts.title}>
      {/* What scrolls must be reachable by keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="table-wrap" role="region" aria-label={texts.caption} tabIndex={0}>
        <table className="data">
          <caption className="visually-hidden">{texts.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.operator}</th>
              {!isOver && (
                <>
                  <th scope="col">{texts.state}</th>
                  <th scope="col">{texts.float}</th>
                </>
              )}
              <th scope="col" className="num">
                {texts.payouts}
              </th>
              <th scope="col" className="num">
                {texts.sum}
              </th>
              <th scope="col" className="num">
                {texts.fees}
              </th>
              {!isOver && (
                <th scope="col" className="num">
                  {texts.bounds}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {operators.map((total) => (
              <tr key={`${total.operator} ${total.country}`}>
                <th scope="row">
                  <Operator operator={total.operator} country={total.country} />
                </th>
                {!isOver && (
                  <>
                    <td>
                      <Tag tone={total.open ? 'good' : 'caution'}>
                        {total.open ? texts.open : texts.closed}
                      </Tag>
                    </td>
                    <td>
                      <FloatTag verdict={total.float} />
                    </td>
                  </>
                )}
                <td className="num">{formatCount(total.count)}</td>
                <td className="num">
                  <Amount currency={currency} amount={total.sum} />
                </td>
                <td className="num">
                  <Amount currency={currency} amount={total.fees} />
                </td>
                {!isOver && <td className="num nowrap">{sayBounds(total)}</td>}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{texts.total}</th>
              {!isOver && <td colSpan={2} />}
              <td className="num">
                {formatCount(operators.reduce((count, one) => count + one.count, 0))}
              </td>
              <td className="num">
                <Amount currency={currency} amount={addAmounts(operators.map(({ sum }) => sum))} />
              </td>
              <td className="num">
                <Amount
                  currency={currency}
                  amount={addAmounts(operators.map(({ fees }) => fees))}
                />
              </td>
              {!isOver && <td />}
            </tr>
          </tfoot>
        </table>
      </div>
    </Card>
  );
}

const FLOAT_TONES = { enough: 'good', not_enough: 'caution', unknown: undefined } as const;

/** Whether the money with the operator is enough; nothing where nothing is left to be sent. */
function FloatTag({ verdict }: Readonly<{ verdict: PayoutFile['operators'][number]['float'] }>) {
  if (verdict === null) return <span className="faint">–</span>;
  const tone = FLOAT_TONES[verdict];
  return <Tag {...(tone === undefined ? {} : { tone })}>{texts.floats[verdict]}</Tag>;
}

function sayBounds({ min, max }: PayoutFile['operators'][number]): string {
  if (min !== null && max !== null) return texts.boundsOf(formatAmount(min), formatAmount(max));
  if (min !== null) return texts.from(formatAmount(min));
  return max === null ? texts.any : texts.upTo(formatAmount(max));
}

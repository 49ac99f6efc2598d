import { useId } from 'react';
import type { OverviewOperator } from '../../api/transfer-types.ts';
import { formatAmount, formatCount } from '../../format/format-amount.ts';
import { Operator } from '../../parts/words.tsx';
import { overview as texts } from '../../texts/en/overview.ts';

/** Bars over bands: a missing file or a closed operator is seen as a short bar. Each currency has its own scale. */
export function VolumeCard({ operators }: Readonly<{ operators: readonly OverviewOperator[] }>) {
  const titleId = useId();
  const count = operators.reduce((sum, { todayCount }) => sum + todayCount, 0);
  const isAbroad = new Set(operators.map(({ country }) => country)).size > 1;
  return (
    <figure className="card plot" aria-labelledby={titleId}>
      <figcaption>
        <h2 id={titleId}>{texts.volume.title}</h2>
        <span className="big">{formatCount(count)}</span>
        <small>{texts.volume.detail}</small>
        <small>{texts.volume.payouts}</small>
      </figcaption>
      {operators.length === 0 ? (
        <p className="soft">{texts.volume.none}</p>
      ) : (
        <table className="bars">
          <caption className="visually-hidden">{texts.volume.caption}</caption>
          <thead className="visually-hidden">
            <tr>
              <th scope="col">{texts.volume.operator}</th>
              <th scope="col">{texts.volume.bar}</th>
              <th scope="col">{texts.volume.todayAndUsual}</th>
            </tr>
          </thead>
          <tbody>
            {operators.map((one) => (
              <tr key={`${one.operator} ${one.country}`}>
                <th scope="row">
                  <Operator
                    operator={one.operator}
                    {...(isAbroad ? { country: one.country } : {})}
                  />
                </th>
                <td className="bars-bar">
                  <svg viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
                    <rect
                      className="p-band"
                      width={widthOf(one.usualSum, one, operators)}
                      height="14"
                    />
                    <rect
                      className="p-bar"
                      y="4"
                      width={widthOf(one.todaySum, one, operators)}
                      height="6"
                    />
                  </svg>
                </td>
                <td className="num">
                  <span className="two nowrap">
                    {one.currency} {formatAmount(one.todaySum)}
                    <small>
                      {texts.volume.usual.toLowerCase()} {formatAmount(one.usualSum)}
                    </small>
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </figure>
  );
}

function widthOf(
  sum: string,
  { currency }: OverviewOperator,
  operators: readonly OverviewOperator[],
): number {
  const same = operators.filter((one) => one.currency === currency);
  const largest = Math.max(
    ...same.flatMap(({ todaySum, usualSum }) => [Number(todaySum), Number(usualSum)]),
  );
  return largest === 0 ? 0 : (Number(sum) / largest) * 100;
}

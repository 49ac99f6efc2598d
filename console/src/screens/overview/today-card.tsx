import { Link } from '@tanstack/react-router';
import { TRANSFER_STATES } from '../../../../service/src/domain/transfer-state.ts';
import type { Overview } from '../../api/transfer-types.ts';
import type { TransferState } from '../../api/types.ts';
import { useBook, useMay } from '../../app/session.ts';
import { formatCount } from '../../format/format-amount.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { StatePill } from '../../parts/words.tsx';
import { overview as texts } from '../../texts/en/overview.ts';

type Today = Overview['today'];

export function TodayCard({ today }: Readonly<{ today: Today }>) {
  const book = useBook();
  const mayPay = useMay()('payouts:write');
  const total = countOf(today);
  const byState = Map.groupBy(today, ({ state }) => state);
  if (total === 0) {
    return (
      <Card title={texts.today.title} isPadded>
        <p className="soft">
          {texts.today.none} {book.mode === 'test' && texts.today.noneTest}{' '}
          {mayPay && <Link to={`/b/${book.id}/pay`}>{texts.today.pay}</Link>}
        </p>
      </Card>
    );
  }
  const states = TRANSFER_STATES.filter((state) => byState.has(state));
  return (
    <Card title={texts.today.title} aside={texts.today.aside(total)}>
      <div className="bar-pad">
        <StatesBar byState={byState} total={total} />
      </div>
      <div className="state-grid">
        {states.map((state) => {
          const some = byState.get(state) ?? [];
          return (
            <Link
              key={state}
              className="state-cell"
              to={`/b/${book.id}/transfers`}
              // Counted by days of UTC, so listed by them too.
              search={{ state, created: 'today-utc' }}
            >
              <StatePill state={state} />
              <span className="n">{formatCount(countOf(some))}</span>
              <span className="amounts">
                {some.map(({ currency, sum }) => (
                  <span key={currency} className="line">
                    <Amount currency={currency} amount={sum} />
                  </span>
                ))}
              </span>
            </Link>
          );
        })}
      </div>
    </Card>
  );
}

const BAR_CLASSES: Readonly<Record<TransferState, string>> = {
  scheduled: 'sb-scheduled',
  awaiting_approval: 'sb-awaiting_approval',
  queued: 'sb-moving',
  submitting: 'sb-moving',
  submitted: 'sb-moving',
  in_doubt: 'sb-in_doubt',
  succeeded: 'sb-succeeded',
  failed: 'sb-failed',
  cancelled: 'sb-other',
  reversed: 'sb-other',
};

const BAR_WIDTH = 1_000;
const GAP = 3;
/** One doubt among thousands stays visible. */
const PART_MIN = 6;

function StatesBar({
  byState,
  total,
}: Readonly<{ byState: ReadonlyMap<TransferState, Today>; total: number }>) {
  const parts = TRANSFER_STATES.flatMap((state) => {
    const count = countOf(byState.get(state) ?? []);
    return count === 0 ? [] : [{ state, width: Math.max(PART_MIN, (count / total) * BAR_WIDTH) }];
  });
  const widthOf = (some: typeof parts) => some.reduce((sum, part) => sum + part.width + GAP, 0);
  const width = widthOf(parts) - GAP;
  return (
    <svg
      className="states-bar"
      viewBox={`0 0 ${width} 12`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {parts.map((part, index) => (
        <rect
          key={part.state}
          className={BAR_CLASSES[part.state]}
          x={widthOf(parts.slice(0, index))}
          width={part.width}
          height="12"
        />
      ))}
    </svg>
  );
}

function countOf(some: Today): number {
  return some.reduce((sum, { count }) => sum + count, 0);
}

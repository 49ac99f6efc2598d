import type { Preflight } from '../../api/transfer-types.ts';
import { addAmounts } from '../../format/format-amount.ts';
import { formatOperator } from '../../format/format-operator.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Note } from '../../parts/note.tsx';
import { pay as texts } from '../../texts/en/pay.ts';
import { ApprovalsNeeded } from './approvals-needed.tsx';
import { OrderLimits } from './order-limits.tsx';

type Given = Readonly<{
  preflight: Preflight | undefined;
  hasFailed: boolean;
  isChecking: boolean;
  currency: string;
  amount: number | undefined;
  order: Readonly<Record<string, string | number>>;
}>;

/** What the payout costs, what is left, and whether it leaves at once. */
export function Consequences(given: Given) {
  const { preflight, hasFailed, isChecking, currency, amount, order } = given;
  return (
    <>
      <Card title={texts.will.title} isPadded>
        <div aria-live="polite" className={isChecking ? 'checking' : undefined}>
          {hasFailed ? (
            <Note tone="caution">{texts.will.failed}</Note>
          ) : preflight === undefined ? (
            <p className="soft">{texts.will.notYet}</p>
          ) : (
            <>
              <MoneyFacts preflight={preflight} currency={currency} amount={amount} />
              <Checks preflight={preflight} />
            </>
          )}
        </div>
      </Card>
      {preflight !== undefined && preflight.limits.length > 0 && (
        <OrderLimits preflight={preflight} order={order} currency={currency} amount={amount} />
      )}
    </>
  );
}

type MoneyGiven = Readonly<{
  preflight: Preflight;
  currency: string;
  amount: number | undefined;
}>;

function MoneyFacts({ preflight: { fee, total, available }, currency, amount }: MoneyGiven) {
  const after = available === null || total === null ? undefined : addAmounts([available, -total]);
  const show = (value: number | string | null | undefined) =>
    value === null || value === undefined ? '–' : <Amount currency={currency} amount={value} />;
  return (
    <dl className="facts facts-money">
      <dt>{texts.will.amount}</dt>
      <dd>{show(amount)}</dd>
      <dt>{texts.will.fee}</dt>
      <dd>{show(fee)}</dd>
      <dt className="facts-total">{texts.will.total}</dt>
      <dd className="facts-total">{show(total)}</dd>
      <dt>{texts.will.after}</dt>
      <dd className={after?.startsWith('-') === true ? 'bad-ink' : 'soft'}>{show(after)}</dd>
    </dl>
  );
}

function Checks({ preflight }: Readonly<{ preflight: Preflight }>) {
  const { operator, problems, approvals } = preflight;
  // Fields say their own problems.
  const others = problems.filter(({ field }) => field === undefined);
  if (operator.given === null && others.length === 0 && approvals.needed === 0) return null;
  const name = operator.given === null ? '' : formatOperator(operator.given);
  return (
    <>
      <hr className="divider" />
      <ul className="list-plain checks">
        {operator.given !== null && (
          <li className={operator.open ? 'good' : 'warn'}>
            <Icon name={operator.open ? 'succeeded' : 'alert'} />
            <span>{operator.open ? texts.operatorOpen(name) : texts.operatorClosed(name)}</span>
          </li>
        )}
        {approvals.needed > 0 && <ApprovalsNeeded approvals={approvals} />}
        {others.map(({ code, message }) => (
          <li key={`${code} ${message}`} className="warn">
            <Icon name="alert" />
            <span>{message}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

import type { Preflight, PreflightLimit } from '../../api/transfer-types.ts';
import { listWanted, useBookPeople } from '../../app/book-people.ts';
import { useSession } from '../../app/session.ts';
import { addAmounts } from '../../format/format-amount.ts';
import { formatOperator } from '../../format/format-operator.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Meter } from '../../parts/meter.tsx';
import { Note } from '../../parts/note.tsx';
import { pay as texts } from '../../texts/en/pay.ts';

type Given = Readonly<{
  preflight: Preflight | undefined;
  hasFailed: boolean;
  isChecking: boolean;
  currency: string;
  amount: number | undefined;
}>;

/** What the payout costs, what is left, and whether it leaves at once. */
export function Consequences({ preflight, hasFailed, isChecking, currency, amount }: Given) {
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
        <Limits preflight={preflight} currency={currency} amount={amount} />
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

/** How many approvals, which rules ask for them, and who can give them: not the reader, who makes the payout. */
function ApprovalsNeeded({
  approvals: { needed, rules, requirements = [] },
}: Readonly<{ approvals: Preflight['approvals'] }>) {
  const { person } = useSession();
  const people = useBookPeople().filter(({ id }) => id !== person.id);
  const able = listWanted(requirements, [], people).map((one) => one.name);
  return (
    <li>
      <Icon name="awaiting_approval" />
      <span>
        <b>{texts.will.approvals(needed)}</b> {texts.will.byRules(rules)}
        {able.length > 0 && ` ${texts.will.canGive(able)}`}
      </span>
    </li>
  );
}

type LimitsGiven = Readonly<{
  preflight: Preflight;
  currency: string;
  amount: number | undefined;
}>;

function Limits({ preflight: { limits, total }, currency, amount = 0 }: LimitsGiven) {
  return (
    <Card title={texts.limits.title} isPadded>
      <ul className="list-plain limits">
        {limits.map((limit) => (
          <LimitLine
            key={`${limit.rule} ${limit.by}`}
            limit={limit}
            currency={currency}
            // The daily limit of a wallet counts the fee, a rule does not.
            amount={limit.rule === WALLET_LIMIT ? (total ?? 0) : amount}
          />
        ))}
      </ul>
      <p className="help mt">{texts.limits.help}</p>
    </Card>
  );
}

const WALLET_LIMIT = 'wallet_daily';

function LimitLine({
  limit,
  currency,
  amount,
}: Readonly<{ limit: PreflightLimit; currency: string; amount: number }>) {
  const { rule, left, by, used } = limit;
  const isCount = limit.currency === null;
  const taken = isCount ? 1 : amount;
  const whole = Number(limit.limit ?? left);
  const words: Readonly<Record<string, string>> = texts.limits.by;
  return (
    <li>
      <div className="split">
        <span className="two">
          {words[by ?? 'wallet'] ?? by}
          {rule !== WALLET_LIMIT && <small>{texts.limits.rule(rule)}</small>}
        </span>
        <span className="faint">
          {isCount ? (
            texts.limits.count(Number(left))
          ) : (
            <Amount currency={currency} amount={left} />
          )}{' '}
          {texts.limits.left}
        </span>
      </div>
      <Meter
        used={used === undefined ? 0 : shareOf(Number(used), whole)}
        then={shareOf(taken, whole)}
      />
    </li>
  );
}

function shareOf(part: number, whole: number): number {
  return whole <= 0 ? 1 : part / whole;
}

import { useQuery } from '@tanstack/react-query';
import type { Limit, Limits } from '../../api/control-types.ts';
import type { Preflight } from '../../api/transfer-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBookKey, useSession } from '../../app/session.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { Meter } from '../../parts/meter.tsx';
import { pay } from '../../texts/en/pay.ts';

const texts = pay.limits;

type Given = Readonly<{
  preflight: Preflight;
  order: Readonly<Record<string, string | number>>;
  currency: string;
  amount: number | undefined;
}>;

/** The limits that concern this payout, with the payout drawn in. */
export function OrderLimits({ preflight, order, currency, amount = 0 }: Given) {
  const limits = useOrderLimits({ preflight, order, currency });
  if (limits.length === 0) return null;
  return (
    <Card title={texts.title} isPadded>
      <ul className="list-plain limits">
        {limits.map((limit) => (
          <LimitLine
            key={`${limit.rule} ${limit.kind} ${limit.by}`}
            limit={limit}
            // The daily limit of a wallet counts the fee, a rule does not.
            amount={limit.rule === null ? (preflight.total ?? amount) : amount}
          />
        ))}
      </ul>
      <p className="help mt">{texts.help}</p>
    </Card>
  );
}

/** The preflight says which limits concern the payout; the list of limits how much of each is used. */
function useOrderLimits({ preflight, order, currency }: Omit<Given, 'amount'>): readonly Limit[] {
  const api = useBookApi();
  const key = useBookKey();
  const { person } = useSession();
  const hasPhone = preflight.problems.every(({ field }) => field !== 'phone');
  const query = hasPhone && order['phone'] !== undefined ? { phone: order['phone'] } : {};
  const found = useQuery({
    queryKey: key('limits', query),
    queryFn: ({ signal }) => api<Limits>({ path: '/limits', query, signal }),
    // Other payouts of the book are no reason to ask again while the form is filled in.
    meta: { isList: true },
    refetchOnWindowFocus: false,
  });
  const subjects: Readonly<Record<string, unknown>> = {
    wallet: order['walletId'],
    person: person.id,
    operator: order['operator'],
  };
  const names = preflight.limits.map(({ rule }) => rule);
  return (found.data?.items ?? []).filter(
    ({ rule, by, subject, currency: counted }) =>
      counted === currency &&
      (rule === null || names.includes(rule)) &&
      (by === 'recipient' || subjects[by] === subject),
  );
}

function LimitLine({ limit, amount }: Readonly<{ limit: Limit; amount: number }>) {
  const { rule, kind, by, left, used, currency } = limit;
  const whole = Number(limit.limit);
  return (
    <li>
      <div className="split">
        <span className="two">
          {texts.by[by] ?? by}
          {rule !== null && <small>{texts.rule(rule)}</small>}
        </span>
        <span className="faint">
          {kind === 'count' ? (
            texts.count(Number(left))
          ) : (
            <Amount currency={currency} amount={left} />
          )}{' '}
          {texts.left}
        </span>
      </div>
      <Meter
        used={shareOf(Number(used), whole)}
        then={shareOf(kind === 'count' ? 1 : amount, whole)}
      />
    </li>
  );
}

function shareOf(part: number, whole: number): number {
  return whole <= 0 ? 1 : part / whole;
}

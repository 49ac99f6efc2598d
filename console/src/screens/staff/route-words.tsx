import type { RouteState, StaffRoute } from '../../api/staff-types.ts';
import { formatAge } from '../../format/format-age.ts';
import { formatCount, formatPercent } from '../../format/format-amount.ts';
import { formatCountry, formatOperator } from '../../format/format-operator.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Tag, type TagTone } from '../../parts/words.tsx';
import { routes as texts } from '../../texts/en/routes.ts';

const LOOKS: Readonly<Record<RouteState, readonly [TagTone, IconName]>> = {
  open: ['good', 'succeeded'],
  shut: ['bad', 'alert'],
  held: ['caution', 'queued'],
  closed: ['bad', 'cancelled'],
};

export function RouteTag({ state }: Readonly<{ state: RouteState }>) {
  const [tone, icon] = LOOKS[state];
  return (
    <Tag tone={tone}>
      <Icon name={icon} />
      {texts.states[state]}
    </Tag>
  );
}

/** `MTN Zambia and Airtel Zambia` */
export function namePairs({ operators, connector }: StaffRoute): string {
  if (operators.length === 0) return connector === 'sandbox' ? texts.sandbox : texts.noPairs;
  return texts.operators(
    operators.map(
      ({ operator, country }) => `${formatOperator(operator)} ${formatCountry(country)}`,
    ),
  );
}

export function showKnown(count: number | null): string {
  return count === null ? texts.none : formatCount(count);
}

export function showRate(rate: number | null): string {
  return rate === null ? texts.none : formatPercent(rate);
}

export function showMs(ms: number | null): string {
  return ms === null ? texts.none : formatAge(ms);
}

import type { FloatLevel, StaffFloat } from '../../api/staff-types.ts';
import { formatAge } from '../../format/format-age.ts';
import { formatCountry, formatOperator } from '../../format/format-operator.ts';
import { Amount } from '../../parts/amount.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { RowLink } from '../../parts/row-link.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Age } from '../../parts/time.tsx';
import { Tag, type TagTone } from '../../parts/words.tsx';
import { float as texts } from '../../texts/en/float.ts';
import { ExplainFloat } from './explain-float.tsx';

const HOUR_MS = 3_600_000;

const LOOKS: Readonly<Record<FloatLevel, readonly [TagTone | undefined, IconName]>> = {
  ok: ['good', 'succeeded'],
  low: ['caution', 'alert'],
  out: ['bad', 'failed'],
  unknown: [undefined, 'info'],
};

function LevelTag({ level }: Readonly<{ level: FloatLevel }>) {
  const [tone, icon] = LOOKS[level];
  return (
    <Tag {...(tone === undefined ? {} : { tone })}>
      <Icon name={icon} />
      {texts.levels[level]}
    </Tag>
  );
}

/** An amount, or that it is not known. */
function Figure({ currency, amount }: Readonly<{ currency: string; amount: string | null }>) {
  if (amount === null) return <span className="faint">{texts.unknown}</span>;
  return <Amount currency={currency} amount={amount} />;
}

function sayRead({ reportsBalance, error, readAt }: StaffFloat) {
  if (!reportsBalance) return texts.noCall;
  if (error !== null) return texts.failing(error);
  if (readAt === null) return texts.notYet;
  return (
    <>
      <Age since={readAt} /> {texts.ago}
    </>
  );
}

function sayLasting({ spendable, hoursLeft }: StaffFloat): string | null {
  if (spendable === null) return null;
  return hoursLeft === null ? texts.noRate : texts.lasts(formatAge(hoursLeft * HOUR_MS));
}

function Difference({ currency, difference }: StaffFloat) {
  if (difference === null) return null;
  if (Number(difference) === 0) return texts.same;
  return (
    <>
      {texts.differs} <Amount currency={currency} amount={difference} />
    </>
  );
}

const COLUMNS: readonly Column<StaffFloat>[] = [
  {
    key: 'route',
    head: texts.route,
    isRowHead: true,
    fold: 'main',
    cell: ({ route, operator, country, sharedWith }) => (
      <span className="two">
        <RowLink to={`/staff/routes/${encodeURIComponent(route)}`}>
          {formatOperator(operator)} {formatCountry(country)}
        </RowLink>
        <small>
          <code>{route}</code>
          {sharedWith.length > 0 && ` · ${texts.shared(sharedWith)}`}
        </small>
      </span>
    ),
  },
  {
    key: 'level',
    head: texts.level,
    fold: 'num',
    cell: ({ level }) => <LevelTag level={level} />,
  },
  {
    key: 'summary',
    head: <span className="visually-hidden">{texts.left}</span>,
    fold: 'more',
    cell: (float) => (
      <span className="hide-wide-inline float-lines">
        <Line name={texts.operators}>
          <Figure currency={float.currency} amount={float.operators} />
        </Line>
        <Line name={texts.ours}>
          <Figure currency={float.currency} amount={float.ours} />
        </Line>
        <Line name={texts.left}>
          <Figure currency={float.currency} amount={float.spendable} />
        </Line>
        <small className="soft">
          {sayRead(float)}
          {sayLasting(float) !== null && ` · ${sayLasting(float)}`}
        </small>
      </span>
    ),
  },
  {
    key: 'operators',
    head: texts.operators,
    isNumber: true,
    fold: 'hide',
    cell: (float) => (
      <span className="two">
        <Figure currency={float.currency} amount={float.operators} />
        <small className="wrap">{sayRead(float)}</small>
      </span>
    ),
  },
  {
    key: 'ours',
    head: texts.ours,
    isNumber: true,
    fold: 'hide',
    cell: (float) => (
      <span className="two">
        <Figure currency={float.currency} amount={float.ours} />
        <small>
          <Difference {...float} />
        </small>
      </span>
    ),
  },
  {
    key: 'under-way',
    head: texts.underWay,
    isNumber: true,
    fold: 'hide',
    cell: ({ currency, underWay, queued }) => (
      <span className="two">
        <Amount currency={currency} amount={underWay} />
        <small>
          <Amount currency={currency} amount={queued} /> {texts.queued}
        </small>
      </span>
    ),
  },
  {
    key: 'left',
    head: texts.left,
    isNumber: true,
    fold: 'hide',
    cell: (float) => (
      <span className="two">
        <b>
          <Figure currency={float.currency} amount={float.spendable} />
        </b>
        <small>{sayLasting(float)}</small>
      </span>
    ),
  },
  {
    key: 'act',
    head: <span className="visually-hidden">{texts.act}</span>,
    fold: 'act',
    cell: (float) => (float.ours === null ? null : <ExplainFloat float={float} />),
  },
];

function Line({ name, children }: Readonly<{ name: string; children: React.ReactNode }>) {
  return (
    <span className="float-line">
      <span className="soft">{name}</span>
      {children}
    </span>
  );
}

export function FloatTable({ floats }: Readonly<{ floats: readonly StaffFloat[] }>) {
  return (
    <Table
      caption={texts.caption}
      columns={COLUMNS}
      rows={floats}
      idOf={({ route, currency }) => `${route} ${currency}`}
    />
  );
}

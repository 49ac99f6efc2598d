import { useQuery } from '@tanstack/react-query';
import type { Screening } from '../../api/control-types.ts';
import type { Transfer } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBookKey } from '../../app/session.ts';
import { Card } from '../../parts/card.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Tag } from '../../parts/words.tsx';
import { lists } from '../../texts/en/lists.ts';

const texts = lists.screenings;
const TONES = { allow: 'good', hold: 'caution', refuse: 'bad' } as const;

/** What screening services were asked about the payout, and what they answered. */
export function ScreeningsCard({ transfer: { id, rules = [] } }: Readonly<{ transfer: Transfer }>) {
  const api = useBookApi();
  const key = useBookKey();
  const found = useQuery({
    queryKey: key('transfer', id, 'screenings'),
    queryFn: ({ signal }) =>
      api<{ items: readonly Screening[] }>({ path: `/transfers/${id}/screenings`, signal }),
    // Only a rule asks for a screening.
    enabled: rules.length > 0,
  });
  const items = found.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Card title={texts.title}>
      <Table
        caption={texts.title}
        columns={COLUMNS}
        rows={items}
        idOf={({ rule, screener }) => `${rule} ${screener}`}
      />
    </Card>
  );
}

const COLUMNS: readonly Column<Screening>[] = [
  {
    key: 'screener',
    head: texts.screener,
    isRowHead: true,
    fold: 'main',
    cell: ({ screener, rule }) => (
      <span className="two">
        <code>{screener}</code>
        <small>
          {texts.rule} “{rule}”
        </small>
      </span>
    ),
  },
  {
    key: 'answer',
    head: texts.answer,
    fold: 'num',
    cell: ({ decision, reason, decidedAt }) =>
      decision === null ? (
        <span className="faint">{texts.waits}</span>
      ) : (
        <span className="two">
          <Tag {...toneOf(decision)}>{texts.decisions[decision] ?? decision}</Tag>
          <small>
            {reason} {decidedAt !== null && <Time at={decidedAt} />}
          </small>
        </span>
      ),
  },
  {
    key: 'tries',
    head: texts.tries,
    isNumber: true,
    fold: 'time',
    cell: ({ attempts }) => attempts.length,
  },
];

function toneOf(decision: string) {
  return decision === 'allow' || decision === 'hold' || decision === 'refuse'
    ? { tone: TONES[decision] }
    : {};
}

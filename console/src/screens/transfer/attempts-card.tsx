import { useState } from 'react';
import type { TimelineEntry } from '../../api/transfer-types.ts';
import type { Transfer } from '../../api/types.ts';
import { formatOperator } from '../../format/format-operator.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Duration, Time } from '../../parts/time.tsx';
import { Tag, type TagTone } from '../../parts/words.tsx';
import { nameOutcome } from '../../texts/en/decisions.ts';
import { transfer as texts } from '../../texts/en/transfer.ts';

/** A doubt that is asked about for days has hundreds: the first and the last tell most. */
const SHOWN_AT_FIRST = 8;

const OUTCOME_TONES: Readonly<Record<string, TagTone>> = {
  paid: 'good',
  rejected: 'bad',
  unknown: 'doubt',
  unanswered: 'doubt',
  mismatched: 'caution',
  returned: 'caution',
};

/** Every call to the operator, with our reading beside the operator's own code. */
export function AttemptsCard({
  transfer,
  entries,
}: Readonly<{ transfer: Transfer; entries: readonly TimelineEntry[] }>) {
  const [isWhole, setWhole] = useState(false);
  const attempts = entries.filter(({ kind }) => kind === 'attempt');
  if (attempts.length === 0) return null;
  const rows =
    isWhole || attempts.length <= SHOWN_AT_FIRST
      ? attempts
      : [...attempts.slice(0, 2), ...attempts.slice(2 - SHOWN_AT_FIRST)];
  return (
    <div id="attempts">
      <Card
        title={texts.attempts.title}
        foot={
          rows.length < attempts.length ? (
            <Button kind="plain" size="sm" onClick={() => setWhole(true)}>
              {texts.attempts.showAll(attempts.length)}
            </Button>
          ) : undefined
        }
      >
        <Table
          caption={texts.attempts.title}
          columns={columnsFor(formatOperator(transfer.operator))}
          rows={rows}
          idOf={(entry) => `${entry.at} ${entry.facts.operation} ${attempts.indexOf(entry)}`}
        />
      </Card>
    </div>
  );
}

function columnsFor(operator: string): readonly Column<TimelineEntry>[] {
  return [
    {
      key: 'what',
      head: texts.attempts.what,
      isRowHead: true,
      fold: 'main',
      cell: ({ facts }) => wordOf(texts.attempts.operations, facts.operation),
    },
    {
      key: 'time',
      head: texts.attempts.time,
      fold: 'time',
      cell: ({ at }) => <Time at={at} />,
    },
    {
      key: 'said',
      head: texts.attempts.said(operator),
      fold: 'state',
      cell: ({ facts }) => <Said facts={facts} />,
    },
    {
      key: 'read',
      head: texts.attempts.read,
      fold: 'num',
      cell: ({ facts: { outcome } }) => {
        const tone = OUTCOME_TONES[outcome ?? ''];
        return (
          <Tag {...(tone === undefined ? {} : { tone })}>
            {outcome ? nameOutcome(outcome) : '–'}
          </Tag>
        );
      },
    },
    {
      key: 'took',
      head: texts.attempts.took,
      isNumber: true,
      fold: 'hide',
      cell: ({ facts: { elapsedMs } }) =>
        elapsedMs === null || elapsedMs === undefined ? '–' : <Duration ms={elapsedMs} />,
    },
  ];
}

function Said({ facts }: Readonly<{ facts: TimelineEntry['facts'] }>) {
  const { httpStatus, code, meaning } = facts;
  if (httpStatus === null || httpStatus === undefined) {
    return <span className="soft">{texts.noAnswer}</span>;
  }
  // Where the operator has no code of its own, its code is the status.
  const said = [String(httpStatus), code].filter((one, at, all) => one && all.indexOf(one) === at);
  return (
    <span className="two">
      <span className="id break">{said.join(' ')}</span>
      {meaning && <small className="break">{meaning}</small>}
    </span>
  );
}

function wordOf(words: Readonly<Record<string, string>>, code: string | null | undefined): string {
  return words[code ?? ''] ?? code ?? '–';
}

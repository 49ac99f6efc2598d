import { Link } from '@tanstack/react-router';
import type { Dossier } from '../../api/staff-types.ts';
import { Card } from '../../parts/card.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Id, Tag } from '../../parts/words.tsx';
import { doubt } from '../../texts/en/doubt.ts';
import { type Evidence, readEvidence } from './read-evidence.ts';

const texts = doubt.known;

const COLUMNS: readonly Column<Evidence>[] = [
  {
    key: 'source',
    head: texts.source,
    isRowHead: true,
    fold: 'main',
    cell: ({ source, at, by }) => (
      <span className="two">
        {source}
        <small>
          <Time at={at} />
          {by !== null && `, ${by}`}
        </small>
      </span>
    ),
  },
  {
    key: 'says',
    head: texts.says,
    fold: 'more',
    cell: ({ says, isCode, detail, same }) => (
      <div className="evidence">
        {isCode ? <code className="break">{says}</code> : says}
        {detail !== null && <small className="faint">{detail}</small>}
        {same !== null && (
          <small className="faint">
            {texts.same(same.count)} <Time at={same.since} />
          </small>
        )}
      </div>
    ),
  },
  {
    key: 'proves',
    head: texts.proves,
    fold: 'num',
    cell: ({ proves: { word, tone } }) =>
      tone === undefined ? <Tag>{word}</Tag> : <Tag tone={tone}>{word}</Tag>,
  },
];

/** Every piece of evidence and what it proves. */
export function EvidenceCard({ dossier }: Readonly<{ dossier: Dossier }>) {
  const { transfer, entries } = dossier;
  const evidence = readEvidence(dossier);
  return (
    <Card
      title={texts.title}
      aside={texts.order}
      foot={
        <>
          <Link to={`/staff/transfers/${transfer.id}`}>{texts.all(entries.length)}</Link>
          <span className="push">
            {texts.operatorReference}{' '}
            <Id id={transfer.operatorReference} whole what={texts.operatorReference} />
          </span>
        </>
      }
    >
      {evidence.length === 0 ? (
        <p className="card-pad pt-0 soft">{texts.none}</p>
      ) : (
        <div className="table-top">
          <Table
            caption={texts.caption}
            columns={COLUMNS}
            rows={evidence}
            idOf={({ key }) => key}
          />
        </div>
      )}
    </Card>
  );
}

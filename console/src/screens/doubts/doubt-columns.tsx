import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Doubt, Inquiry } from '../../api/staff-types.ts';
import { useInactive, useStaffAct } from '../../app/staff-api.ts';
import { addAmounts } from '../../format/format-amount.ts';
import { formatOperator } from '../../format/format-operator.ts';
import { Amount } from '../../parts/amount.tsx';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { sayError } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { RowLink } from '../../parts/row-link.tsx';
import type { Column } from '../../parts/table.tsx';
import { Age, Time } from '../../parts/time.tsx';
import { ModeWord, Phone, Tag } from '../../parts/words.tsx';
import { decisions, nameOutcome } from '../../texts/en/decisions.ts';
import { doubts as texts } from '../../texts/en/doubts.ts';
import { type Reader, whoseTurn } from '../staff/whose-turn.ts';

type Row = Readonly<{ doubt: Doubt; reader: Reader }>;

export function doubtColumns({
  reader,
  isGone,
}: Readonly<{
  reader: Reader;
  isGone: (doubt: Doubt) => boolean;
}>): readonly Column<Doubt>[] {
  return [
    {
      key: 'since',
      head: texts.since,
      fold: 'hide',
      cell: ({ since }) => (
        <span className="two">
          <Age since={since} />
          <small>
            <Time at={since} />
          </small>
        </span>
      ),
    },
    {
      key: 'merchant',
      head: texts.merchant,
      isRowHead: true,
      fold: 'main',
      cell: ({ transfer, merchant, mode, since }) => (
        <span className="two">
          <span>
            <RowLink to={`/staff/doubts/${transfer.id}`}>{merchant.name}</RowLink>{' '}
            <ModeWord mode={mode} />
          </span>
          <small>
            <Phone phone={transfer.phone} />
            <span className="hide-wide-inline">
              {' · '}
              <Age since={since} />
            </span>
          </small>
        </span>
      ),
    },
    {
      key: 'route',
      head: texts.route,
      fold: 'hide',
      cell: ({ transfer }) => <code className="nowrap">{transfer.route}</code>,
    },
    {
      key: 'asked',
      head: texts.asked,
      isNumber: true,
      fold: 'hide',
      cell: ({ checks }) => texts.times(checks),
    },
    {
      key: 'next',
      head: texts.next,
      isNumber: true,
      fold: 'hide',
      cell: ({ nextCheckAt }) =>
        nextCheckAt === null ? (
          <span className="faint">{texts.none}</span>
        ) : (
          <Time at={nextCheckAt} />
        ),
    },
    {
      key: 'do',
      head: texts.whatToDo,
      fold: 'state',
      cell: (doubt) =>
        isGone(doubt) ? (
          <Tag tone="good">{texts.ended}</Tag>
        ) : (
          <ToDo doubt={doubt} reader={reader} />
        ),
    },
    {
      key: 'held',
      head: texts.held,
      isNumber: true,
      fold: 'num',
      cell: ({ transfer: { currency, amount, fee } }) => (
        <b>
          <Amount currency={currency} amount={addAmounts([amount, fee])} />
        </b>
      ),
    },
    {
      key: 'act',
      head: <span className="visually-hidden">{texts.act}</span>,
      isNumber: true,
      fold: 'act',
      cell: (doubt) => <RowAct doubt={doubt} reader={reader} />,
    },
  ];
}

function ToDo({ doubt, reader }: Row) {
  const { proposal, needsPerson, transfer, lastAnswer } = doubt;
  if (proposal !== null) {
    return (
      <span className="two">
        <Tag tone="doubt">
          <Icon name="awaiting_approval" />
          {whoseTurn(proposal, reader) === 'reader' ? texts.confirm : texts.ownProposal}
        </Tag>
        <small>{texts.proposed(proposal.by.name, decisions[proposal.decision])}</small>
      </span>
    );
  }
  const answer = lastAnswer === null ? texts.noAnswerKept : nameOutcome(lastAnswer);
  return (
    <span className="two">
      {needsPerson ? (
        <Tag tone="doubt">
          <Icon name="in_doubt" />
          {texts.person}
        </Tag>
      ) : (
        <Tag>
          <Icon name="scheduled" />
          {texts.wait}
        </Tag>
      )}
      <small>{texts.answered(formatOperator(transfer.operator), answer)}</small>
    </span>
  );
}

function RowAct({ doubt, reader }: Row) {
  const { transfer, merchant, proposal, needsPerson } = doubt;
  const inactive = useInactive();
  const act = useStaffAct();
  const [isBusy, setBusy] = useState(false);
  if (proposal !== null || needsPerson) {
    const isMine = proposal !== null && whoseTurn(proposal, reader) === 'reader';
    return (
      <Link
        className={isMine ? 'btn btn-sm btn-main' : 'btn btn-sm'}
        to={`/staff/doubts/${transfer.id}`}
        aria-label={texts.lookAt(merchant.name)}
      >
        {texts.look}
      </Link>
    );
  }
  const operator = formatOperator(transfer.operator);
  const ask = async () => {
    setBusy(true);
    try {
      const { outcome } = await act<Inquiry>({ path: `/transfers/${transfer.id}/inquire` });
      toast(texts.answer(operator, nameOutcome(outcome)), 'info');
    } catch (error) {
      toast(sayError(error), 'bad');
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      size="sm"
      isBusy={isBusy}
      inactive={inactive('transfers:inquire')}
      aria-label={texts.askAbout(operator, merchant.name)}
      onClick={() => void ask()}
    >
      {texts.ask}
    </Button>
  );
}

import { useState } from 'react';
import type { Merchant, MerchantBook } from '../../api/staff-types.ts';
import { useInactive, useStaffAct } from '../../app/staff-api.ts';
import { formatAmount } from '../../format/format-amount.ts';
import { readFee } from '../../format/read-amount.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { TextField } from '../../parts/field.tsx';
import { Says } from '../../parts/says.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { ModeWord } from '../../parts/words.tsx';
import { merchant as words } from '../../texts/en/merchants.ts';
import { shell } from '../../texts/en/shell.ts';
import { ActDialog } from '../staff/act-dialog.tsx';

const texts = words.fees;

function columnsOf(onChange: (book: MerchantBook) => void): readonly Column<MerchantBook>[] {
  return [
    {
      key: 'book',
      head: texts.book,
      isRowHead: true,
      fold: 'main',
      cell: ({ mode }) => <ModeWord mode={mode} />,
    },
    {
      key: 'fixed',
      head: texts.fixed,
      isNumber: true,
      fold: 'num',
      cell: ({ fees }) => (
        <>
          <span className="hide-wide-inline faint">{texts.fixed} </span>
          {formatAmount(fees.fixed)}
        </>
      ),
    },
    {
      key: 'percent',
      head: texts.percent,
      isNumber: true,
      fold: 'time',
      cell: ({ fees }) => (
        <>
          <span className="hide-wide-inline">{texts.percent} </span>
          {texts.share(fees.percent)}
        </>
      ),
    },
    {
      key: 'act',
      head: <span className="visually-hidden">{texts.act}</span>,
      isNumber: true,
      fold: 'act',
      cell: (book) => <ChangeButton book={book} onClick={() => onChange(book)} />,
    },
  ];
}

function ChangeButton({ book, onClick }: Readonly<{ book: MerchantBook; onClick: () => void }>) {
  const inactive = useInactive();
  return (
    <Button
      size="sm"
      inactive={inactive('merchants:write')}
      aria-label={texts.changeOf(shell.modes[book.mode].word)}
      onClick={onClick}
    >
      {texts.change}
    </Button>
  );
}

export function FeesCard({ merchant }: Readonly<{ merchant: Merchant }>) {
  const [chosen, setChosen] = useState<MerchantBook>();
  return (
    <Card title={texts.title}>
      <Table
        caption={texts.caption}
        columns={columnsOf(setChosen)}
        rows={merchant.books.toSorted((a, b) => a.mode.localeCompare(b.mode))}
        idOf={({ id }) => id}
      />
      {chosen !== undefined && (
        <FeesDialog merchant={merchant} book={chosen} onClose={() => setChosen(undefined)} />
      )}
    </Card>
  );
}

type Given = Readonly<{ merchant: Merchant; book: MerchantBook; onClose: () => void }>;

function FeesDialog({ merchant, book, onClose }: Given) {
  const act = useStaffAct();
  const inactive = useInactive();
  const [typed, setTyped] = useState(book.fees);
  const { amount: fixed, problem: fixedProblem } = readFee(typed.fixed);
  const { amount: percent, problem: percentProblem } = readFee(typed.percent);
  return (
    <ActDialog
      title={texts.changeTitle}
      actLabel={texts.do}
      inactive={inactive('merchants:write') ?? fixedProblem ?? percentProblem}
      onClose={onClose}
      onAct={async () => {
        await act({ method: 'PUT', path: `/books/${book.id}/fees`, body: { fixed, percent } });
        toast(texts.done);
      }}
    >
      <div className="form-row">
        <TextField
          label={texts.fixed}
          inputMode="decimal"
          value={typed.fixed}
          problem={fixedProblem}
          onChange={(value) => setTyped({ ...typed, fixed: value })}
        />
        <TextField
          label={texts.percent}
          inputMode="decimal"
          value={typed.percent}
          problem={percentProblem}
          onChange={(value) => setTyped({ ...typed, percent: value })}
        />
      </div>
      {fixed !== undefined && percent !== undefined && (
        <Says lead={texts.says} book={{ mode: book.mode, merchant }}>
          <p className="big">{texts.each(formatAmount(fixed), percent)}</p>
          <p className="small">{texts.detail}</p>
        </Says>
      )}
    </ActDialog>
  );
}

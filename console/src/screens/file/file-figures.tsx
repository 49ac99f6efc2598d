import type { ReactNode } from 'react';
import type { PayoutFile } from '../../api/payout-file-types.ts';
import { formatCount } from '../../format/format-amount.ts';
import { Amount } from '../../parts/amount.tsx';
import { files } from '../../texts/en/files.ts';
import { outcomeOf } from '../files/file-state.tsx';

const texts = files.figures;

/** Count and sum; before it is submitted what is to be corrected, afterwards what was paid. */
export function FileFigures({ file }: Readonly<{ file: PayoutFile }>) {
  const { counts, currency, sum, fees, submittedAt } = file;
  const { payable } = outcomeOf(file);
  const parts = [
    ...(submittedAt === null ? [texts.ready(counts.ready)] : []),
    ...(counts.dropped === 0 ? [] : [texts.dropped(counts.dropped)]),
  ];
  return (
    <div className="grid g4 g-tight">
      <Figure word={texts.payouts} below={parts.join(', ')}>
        {formatCount(payable)}
      </Figure>
      <Figure
        word={texts.sum}
        below={
          currency !== null && (
            <>
              {texts.fees} <Amount currency={currency} amount={fees} />
            </>
          )
        }
      >
        {currency === null ? texts.none : <Amount currency={currency} amount={sum} />}
      </Figure>
      {submittedAt === null ? <DraftFigures file={file} /> : <PaidFigures file={file} />}
    </div>
  );
}

function DraftFigures({ file: { counts, names } }: Readonly<{ file: PayoutFile }>) {
  const { problems, warnings } = counts;
  return (
    <>
      <Figure
        word={texts.toCorrect}
        below={problems === 0 ? '' : texts.orDropped}
        isBad={problems > 0}
      >
        {problems === 0 ? texts.none : files.rows(problems)}
      </Figure>
      <Figure
        word={texts.look}
        below={names.state === 'none' ? texts.namesNone : texts.names(names.checked, names.total)}
      >
        {warnings === 0 ? texts.none : files.rows(warnings)}
      </Figure>
    </>
  );
}

function PaidFigures({ file }: Readonly<{ file: PayoutFile }>) {
  const { failed, refused, cancelled, succeeded } = file.counts;
  const { notPaid, underWay } = outcomeOf(file);
  return (
    <>
      <Figure word={texts.paid} below={underWay === 0 ? '' : texts.underWay(underWay)}>
        {formatCount(succeeded)}
      </Figure>
      <Figure
        word={texts.notPaid}
        below={notPaid === 0 ? '' : texts.notPaidParts(failed, refused, cancelled)}
        isBad={notPaid > 0}
      >
        {formatCount(notPaid)}
      </Figure>
    </>
  );
}

type Given = Readonly<{ word: string; below: ReactNode; isBad?: boolean; children: ReactNode }>;

function Figure({ word, below, isBad = false, children }: Given) {
  return (
    <div className="card card-pad">
      <p className="faint small">{word}</p>
      <p className={isBad ? 'big bad' : 'big'}>{children}</p>
      <p className="small soft">{below}</p>
    </div>
  );
}

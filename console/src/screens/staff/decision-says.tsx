import type { Decision, StaffTransfer } from '../../api/staff-types.ts';
import { addAmounts } from '../../format/format-amount.ts';
import { Amount } from '../../parts/amount.tsx';
import { Says } from '../../parts/says.tsx';
import { doubt } from '../../texts/en/doubt.ts';

const texts = doubt.decide;

const WORDS = { paid: texts.paid, not_paid: texts.notPaid, reversed: texts.returned } as const;
const EFFECTS = {
  paid: texts.leaves,
  not_paid: texts.goesBack,
  reversed: texts.comesBack,
} as const;

/** Repeats amount, currency and book, and what the decision does to the money. */
export function DecisionSays({
  transfer,
  decision,
  isFirst,
}: Readonly<{ transfer: StaffTransfer; decision: Decision; isFirst: boolean }>) {
  const { currency, amount, fee } = transfer;
  const confirms = decision === 'reversed' ? texts.confirmsReturn : texts.confirms;
  return (
    <Says lead={isFirst ? texts.proposes : confirms} book={transfer}>
      <p className="big">
        <Amount currency={currency} amount={amount} /> {WORDS[decision]}
      </p>
      <p className="small">
        {isFirst ? (
          texts.nothingYet
        ) : (
          <>
            <Amount currency={currency} amount={addAmounts([amount, fee])} /> {EFFECTS[decision]}
          </>
        )}
      </p>
    </Says>
  );
}

export function WithdrawSays({ transfer }: Readonly<{ transfer: StaffTransfer }>) {
  const { currency, amount } = transfer;
  return (
    <Says lead={texts.withdrawSays} book={transfer}>
      <p className="big">
        <Amount currency={currency} amount={amount} />
      </p>
    </Says>
  );
}

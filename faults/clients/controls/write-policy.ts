import type { ControlsPlan, ScreenerWord } from '../../plan/controls-plan.ts';

const MINOR_PER_UNIT = 100;
/** The name of the screener that the policy asks. */
export const SCREENER = 'watch';
/** The member of a payout's metadata that says what the screener will answer about it. */
export const SCREENED = 'screened';
const SCREENER_WORDS: readonly ScreenerWord[] = ['allow', 'hold', 'refuse', 'garbage'];

type Limits = Pick<
  ControlsPlan,
  'approvalFromMinor' | 'approvals' | 'dayLimitMinor' | 'recipientMax' | 'lateWithinSeconds'
>;

/** The policy document of a run. */
export function writePolicy(limits: Limits): string {
  const { approvalFromMinor, approvals, dayLimitMinor, recipientMax, lateWithinSeconds } = limits;
  return JSON.stringify({
    sendLateWithin: `PT${lateWithinSeconds}S`,
    approvalExpiresAfter: 'P7D',
    rules: [
      {
        name: 'big',
        when: { amountAtLeast: decimal(approvalFromMinor) },
        require: { approvals, of: ['approver'] },
      },
      {
        name: 'daily',
        when: { sum: { by: 'wallet', day: true, above: decimal(dayLimitMinor) } },
        require: { refuse: true },
      },
      {
        name: 'often',
        when: { count: { by: 'recipient', window: 'PT1H', above: recipientMax } },
        require: { refuse: true },
      },
      {
        name: 'screened',
        when: { metadata: { [SCREENED]: SCREENER_WORDS } },
        require: { screen: SCREENER },
      },
    ],
  });
}

function decimal(minor: number): string {
  return (minor / MINOR_PER_UNIT).toFixed(2);
}

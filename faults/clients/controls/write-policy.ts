import type { ControlsPlan } from '../../plan/controls-plan.ts';

const MINOR_PER_UNIT = 100;

type Limits = Pick<
  ControlsPlan,
  'approvalFromMinor' | 'approvals' | 'dayLimitMinor' | 'recipientMax'
>;

/** The policy document of a run. */
export function writePolicy(limits: Limits): string {
  const { approvalFromMinor, approvals, dayLimitMinor, recipientMax } = limits;
  return JSON.stringify({
    sendLateWithin: 'PT24H',
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
    ],
  });
}

function decimal(minor: number): string {
  return (minor / MINOR_PER_UNIT).toFixed(2);
}

import {
  RESUBMISSIONS_MAX,
  THROTTLED_RESUBMISSIONS_MAX,
} from '../../service/src/domain/doubt-schedule.ts';
import {
  STATE_RULES,
  TRANSFER_STATES,
  type TransferState,
} from '../../service/src/domain/transfer-state.ts';

const HOLD_WORDS = {
  held: 'funds held',
  settled: 'hold settled, fee booked',
  released: 'hold released',
  credited: 'credited again by new postings',
} as const;

export function renderTransferStates(): string {
  const row = (state: TransferState): string => {
    const { status, hold, next, event, meaning } = STATE_RULES[state];
    const ways = next.map((to) => `\`${to}\``).join(', ') || '–';
    const told = event === null ? '–' : `\`${event}\``;
    return `| \`${state}\` | ${status} | ${HOLD_WORDS[hold]} | ${ways} | ${told} | ${meaning} |`;
  };
  const arrows = TRANSFER_STATES.flatMap((from) =>
    STATE_RULES[from].next.map((to) => `  ${from} --> ${to}`),
  );
  return `# The states of a transfer

Generated from \`service/src/domain/transfer-state.ts\` by \`npm run generate\`.

Merchants see both: \`status\` says what became of a transfer in one word, \`state\` where exactly it
stands. Only evidence ends a transfer: a timeout or an answer that cannot be read leads to \`in_doubt\`, and
the hold stays.

| state | status | wallet | may go to | event | meaning |
|---|---|---|---|---|---|
${TRANSFER_STATES.map(row).join('\n')}

\`\`\`mermaid
stateDiagram-v2
${arrows.join('\n')}
\`\`\`

## With \`sendAt\`

A transfer with \`sendAt\` is \`scheduled\`: its funds are held, and it counts towards the wallet's limit of the day on
which it is accepted. So a key cannot order more in a day than the limit by giving later times, and what was accepted
is not refused at its time. At that time, by the database's clock, its route is chosen and it is \`queued\`; it leaves
within 5 seconds unless the operator takes nothing. What was due while the service was down is sent when it runs again.
Later than \`sendLateWithin\` of the policy (24 hours if it says nothing) it is not sent, also where it was queued in time:
it waits as \`awaiting_approval\`, and can be recalled. Once a person approved it, it is sent within a day or waits again.

## While in doubt

The service inquires under the same reference after 5, 15 and 30 seconds, 1, 2, 5, 10 and 15
minutes, then every 30 minutes up to 24 hours and hourly up to 72 hours. After that the transfer is
flagged for a person, and is still pending. An inquiry that a person or a callback brings
forward makes neither these waits longer nor the 72 hours shorter. "Not found" counts as a failure only where the connector
declares it final, after 15 minutes and 3 such answers. Both are counted anew when an inquiry goes
unanswered, or was put off for long: an operator that is down does not process its queue.

Where the operator recognises its own orders, 15 minutes and 3 answers of "not found" first lead to **the same
order again**: the same operator reference, route and account, up to ${RESUBMISSIONS_MAX} times, and only while the operator
recognises the reference of the first submission. The transfer stays in doubt, merchants get no event, and the answers and the
schedule of inquiries begin anew. An operator that refuses a submission because it takes nothing now (429) is inquired of
at the time that it names, and gets the order again after one "not found", up to ${THROTTLED_RESUBMISSIONS_MAX} times. A refusal of an order that
was sent again ends nothing: the first may have been executed, so the next inquiry decides.

An inquiry about a submitted transfer that goes unanswered changes nothing: the service inquires again later, and after 72
hours the transfer is flagged for a person.

\`npm run admin -- stuck\` lists what waits.
`;
}

import { FAILURES } from '../../domain/outcome.ts';
import { FIELD_CODES, REFUSALS } from '../../domain/refusal.ts';
import { STATE_RULES, TRANSFER_STATES } from '../../domain/transfer-state.ts';
import { type Html, html, inline, table } from './html.ts';

export type ReferenceSection = Readonly<{ id: string; title: string; content: Html }>;

const HOLD_WORDS = {
  held: 'funds held',
  settled: 'hold settled, fee booked',
  released: 'hold released',
  credited: 'credited again',
} as const;

/** What the last three digits of a number do in a test book. */
export const TEST_NUMBERS: readonly Readonly<{ ending: string; effect: string }>[] = [
  { ending: '901', effect: 'Failed, `RECIPIENT_NOT_FOUND`. Its name cannot be resolved.' },
  { ending: '902', effect: 'Failed, `RECIPIENT_LIMIT_REACHED`.' },
  { ending: '903', effect: 'Failed, `OPERATOR_REJECTED`.' },
  { ending: '911', effect: 'In doubt, then succeeded.' },
  { ending: '912', effect: 'In doubt, then failed.' },
  { ending: '913', effect: 'In doubt for ever.' },
  { ending: '921', effect: 'Succeeded, and later reversed.' },
  { ending: '931', effect: 'Succeeded, ten times slower.' },
  { ending: '941', effect: 'The operator is down: queued, then succeeded.' },
  { ending: '951', effect: 'Succeeded; name resolution cannot be reached.' },
];

export function referenceSections(): readonly ReferenceSection[] {
  return [
    { id: 'states', title: 'States of a transfer', content: statesTable() },
    { id: 'errors', title: 'Error codes', content: errorTables() },
    { id: 'test-numbers', title: 'Test numbers', content: testNumbers() },
  ];
}

function statesTable(): Html {
  return html`<p>${inline(
    '`status` is the answer in one word; `state` says exactly where a transfer stands. A transfer ' +
      'ends by evidence only. While nobody knows whether money moved it is `in_doubt`, it stays ' +
      'pending, and its funds stay held.',
  )}</p>${table({
    caption: 'States of a transfer',
    columns: ['State', 'Status', 'Wallet', 'Meaning', 'May become'],
    rows: TRANSFER_STATES.map((state) => {
      const rule = STATE_RULES[state];
      return [
        html`<code>${state}</code>`,
        html`${rule.status}`,
        html`${HOLD_WORDS[rule.hold]}`,
        html`${rule.meaning}`,
        html`${rule.next.length === 0 ? 'nothing else' : rule.next.join(', ')}`,
      ];
    }),
  })}`;
}

function errorTables(): Html {
  return html`<p>${inline(
    'Decide by `data.error.code`, never by `message`. `retryable`, like the header ' +
      '`X-Should-Retry`, says whether the same request, sent again unchanged, may succeed.',
  )}</p>${refusalTable()}
<h3>Broken fields</h3>
<p>${inline('Under `fields` of a `VALIDATION_ERROR`, all at once.')}</p>
${codeTable('Codes of broken fields', FIELD_CODES)}
<h3>Why a transfer failed</h3>
<p>${inline('In `failure.code` of a transfer that failed or was cancelled.')}</p>
${codeTable('Why a transfer failed', FAILURES)}`;
}

function refusalTable(): Html {
  const seen = new Set<number>();
  return table({
    caption: 'Error codes',
    columns: ['Code', 'HTTP', 'Retry', 'Meaning'],
    rows: Object.entries(REFUSALS).map(([code, { status, retryable, message }]) => {
      const anchor = seen.has(status)
        ? html`${status}`
        : html`<span id="status-${status}">${status}</span>`;
      seen.add(status);
      return [
        html`<code>${code}</code>`,
        anchor,
        html`${retryable ? 'yes' : 'no'}`,
        html`${message}`,
      ];
    }),
  });
}

function codeTable(caption: string, codes: Readonly<Record<string, string>>): Html {
  return table({
    caption,
    columns: ['Code', 'Meaning'],
    rows: Object.entries(codes).map(([code, message]) => [
      html`<code>${code}</code>`,
      inline(message),
    ]),
  });
}

function testNumbers(): Html {
  const rows = TEST_NUMBERS.map(({ ending, effect }) => [
    html`<code>…${ending}</code>`,
    inline(effect),
  ]);
  return html`<p>A test key calls no operator: the last three digits of the number decide.</p>${table(
    {
      caption: 'Test numbers',
      columns: ['Number ends in', 'What happens'],
      rows: [...rows, [html`anything else`, html`Succeeded.`]],
    },
  )}`;
}

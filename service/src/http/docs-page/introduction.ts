import { type Html, html, inline, table } from './html.ts';

const SETTINGS = `export KAFUE_URL=http://127.0.0.1:3000
export KAFUE_KEY=sk_test_…`;

const FAILURE_EXAMPLE = JSON.stringify(
  {
    status: false,
    message: 'Some fields are not valid. Each is listed under fields. Nothing was stored.',
    data: {
      error: {
        code: 'VALIDATION_ERROR',
        retryable: false,
        requestId: '5f0c2a52-6f0e-4b0b-9c55-0d5ab2b2a9f1',
        fields: [{ field: 'country', code: 'INVALID_COUNTRY', message: 'One of zm, ng.' }],
      },
    },
  },
  null,
  2,
);

export const INTRODUCTION_SECTIONS: readonly Readonly<{ id: string; title: string }>[] = [
  { id: 'start', title: 'Start here' },
  { id: 'answers', title: 'Answers' },
  { id: 'again', title: 'Sending again' },
  { id: 'limits', title: 'Limits' },
];

export function introduction(): Html {
  return html`<section id="start" aria-labelledby="start-title">
<h2 id="start-title">Start here</h2>
<p>${inline(
    'Every call carries one API key in the header `x-api-key`. A key opens one book: your money in ' +
      'one mode, test or live. What is in another book does not exist for it.',
  )}</p>
<p>The examples on this page take the address and the key from here:</p>
<pre tabindex="0"><code>${SETTINGS}</code></pre>
</section>
<section id="answers" aria-labelledby="answers-title">
<h2 id="answers-title">Answers</h2>
<p>${inline(
    'Every answer is `{status, message, data}`. When `status` is true, `data` is what you asked for. ' +
      'When it is false, `data.error` says why: decide by its `code`. Values that you sent are never ' +
      'repeated there.',
  )}</p>
<pre tabindex="0"><code>${FAILURE_EXAMPLE}</code></pre>
</section>
<section id="again" aria-labelledby="again-title">
<h2 id="again-title">Sending again</h2>
<p>${inline(
    'No answer, or a 503? Send the same request again, with the same `reference`. Either it was not ' +
      'stored and now is, or you get 409 `DUPLICATE_REFERENCE` with the transfer that exists, and ' +
      '`samePayload` says whether it means the same. With an `Idempotency-Key` you get the first ' +
      'answer again instead. Nothing is ever paid twice.',
  )}</p>
</section>
<section id="limits" aria-labelledby="limits-title">
<h2 id="limits-title">Limits</h2>
${table({
  caption: 'Limits',
  columns: ['What', 'How much'],
  rows: [
    [html`Body`, html`16 KiB of JSON in UTF-8, 8 levels deep, not compressed`],
    [html`Headers`, html`16 KiB and 100 fields`],
    [html`Time to send`, html`5 seconds for the headers, 10 for the whole request`],
    [html`Requests per key`, inline('as `RateLimit-Limit` says; past it 429, with `Retry-After`')],
    [html`Times`, html`ISO 8601 in UTC`],
  ],
})}
</section>`;
}

import { REFUSALS } from '../../../service/src/domain/refusal-codes.ts';
import { SMALL_JSON_LIMITS } from '../../../service/src/http/server/json-limits.ts';
import {
  BODY_BYTES_MAX,
  HEADER_BYTES_MAX,
  HEADERS_MAX,
  SERVER_LIMITS,
} from '../../../service/src/http/server/server-limits.ts';
import { EXAMPLE_IDS } from '../openapi/example-objects.ts';
import { serviceOperations } from '../openapi/render-openapi.ts';
import { codePanel, jsonPanel, ORIGIN, ORIGIN_TEXT } from './code-panel.ts';
import { type Html, html, inline, type Section, table } from './html.ts';

const API = `${ORIGIN}/api/v1/payments`;

/** The reader's own key and wallet: what the tests put in here, too. */
const SETTINGS = `export KAFUE_KEY=sk_test_…
export WALLET_ID=…`;

const FIND_WALLET = `curl ${API}/wallets -H "x-api-key: $KAFUE_KEY"`;

const PAY = `curl ${API}/transfers/mobile-money \\
  -H "x-api-key: $KAFUE_KEY" \\
  -H "content-type: application/json" \\
  -d '{
  "amount": 25.50,
  "reference": "hello-1",
  "phone": "0977433571",
  "operator": "airtel",
  "country": "zm",
  "walletId": "'$WALLET_ID'"
}'`;

const ASK = `curl ${API}/transfers/status/hello-1 -H "x-api-key: $KAFUE_KEY"`;

/** What the last three digits of a number do in a test book. */
export const TEST_NUMBERS: readonly Readonly<{ ending: string; status: string; effect: string }>[] =
  [
    {
      ending: '901',
      status: 'failed',
      effect: '`RECIPIENT_NOT_FOUND`. Its name cannot be resolved either.',
    },
    { ending: '902', status: 'failed', effect: '`RECIPIENT_LIMIT_REACHED`' },
    { ending: '903', status: 'failed', effect: '`OPERATOR_REJECTED`' },
    { ending: '911', status: 'successful', effect: 'In doubt first, then paid.' },
    { ending: '912', status: 'failed', effect: 'In doubt first, then failed.' },
    { ending: '913', status: 'pending', effect: 'In doubt for ever.' },
    { ending: '921', status: 'reversed', effect: 'Paid first; later the operator returns it.' },
    { ending: '931', status: 'successful', effect: 'Paid, ten times slower.' },
    {
      ending: '941',
      status: 'successful',
      effect: 'The operator is down: queued first, time to cancel, then paid.',
    },
    {
      ending: '951',
      status: 'successful',
      effect: 'Paid; its name cannot be resolved for a while.',
    },
  ];

export function introduction(): readonly Section[] {
  return [firstPayout(), answers(), sendingAgain(), limits()];
}

function firstPayout(): Section {
  return {
    id: 'first-payout',
    title: 'Your first payout',
    content: html`<ol class="steps">
<li><strong>Take a test key.</strong> ${inline(
      'You get it from the company that runs the service; if that is you, it is in `data/demo.json`. It opens your ' +
        'test book, where no operator is called and no money moves. Every call carries one key in the ' +
        'header `x-api-key`.',
    )}</li>
<li><strong>Find a wallet</strong> ${inline('that pays in ZMW, and keep its `id`.')}</li>
<li><strong>Pay.</strong> ${inline(
      '201 means: durably stored, funds held. The `reference` is yours; each is paid once, however often ' +
        'you send it.',
    )}</li>
<li><strong>See what became of it.</strong> ${inline(
      'A second later `status` is `successful`. Better than asking: a ',
    )}<a href="#createWebhook">webhook</a>.</li>
</ol>
<p>The service that shows you this page is at ${ORIGIN_TEXT}; the examples are for it.</p>`,
    code: html`${codePanel('1. Your key and wallet', 'shell', SETTINGS)}
${codePanel('2. Find a wallet', 'shell', FIND_WALLET)}
${codePanel('3. Pay', 'shell', PAY)}
${codePanel('4. See what became of it', 'shell', ASK)}`,
    more: testNumbers(),
  };
}

/** Beside the code of the first payout, so that both are at the top of the page. */
export const TEST_NUMBERS_LINK = { id: 'test-numbers', title: 'Test numbers' } as const;

function testNumbers(): Html {
  const { id, title } = TEST_NUMBERS_LINK;
  const rows = TEST_NUMBERS.map(({ ending, status, effect }) => [
    html`<code>0977433<strong>${ending}</strong></code>`,
    html`<code>${status}</code>`,
    inline(effect),
  ]);
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
<p>${inline(
    'In a test book the last three digits of the number decide what happens. Any operator, either ' +
      'country. Try them all before you go live: `in_doubt` and `reversed` happen there too.',
  )}</p>
${table({
  caption: title,
  columns: ['Number', 'Ends as', 'Effect'],
  rows: [[html`any other`, html`<code>successful</code>`, html`Paid after a second.`], ...rows],
})}
</section>`;
}

function answers(): Section {
  const fields = [{ field: 'country', code: 'INVALID_COUNTRY', message: 'One of zm, ng.' }];
  const error = {
    code: 'VALIDATION_ERROR',
    retryable: REFUSALS.VALIDATION_ERROR.retryable,
    requestId: EXAMPLE_IDS.request,
    fields,
  };
  return {
    id: 'answers',
    title: 'Answers',
    content: html`<p>${inline(
      'Every answer is `{status, message, data}`. When `status` is true, `data` is what you asked for. ' +
        'When it is false, `data.error` says why: decide by its `code`. `retryable`, like the header ' +
        '`X-Should-Retry`, says whether the same request, sent again unchanged, may succeed.',
    )}</p>
<p>${inline(
      'All broken fields are listed at once. Values that you sent are never repeated there. An optional ' +
        'field that is null counts as left out; one that does not exist is refused by name.',
    )}</p>`,
    code: jsonPanel('A refusal', {
      status: false,
      message: REFUSALS.VALIDATION_ERROR.message,
      data: { error },
    }),
  };
}

function sendingAgain(): Section {
  return {
    id: 'again',
    title: 'Sending again',
    content: html`<p>${inline(
      'No answer, or a 503? Send the same request again, with the same `reference`. Either it was not ' +
        'stored and now is, or you get 409 `DUPLICATE_REFERENCE` with the transfer that exists, and ' +
        '`samePayload` says whether it means the same. With an `Idempotency-Key` you get the first ' +
        'answer again instead. Either way it is paid once.',
    )}</p>
<p>${inline(
      'A payout file needs the key: without it, the same file uploaded again is a second file, whose rows ' +
        'have new references and are paid again. `sameUploads` names the first.',
    )}</p>`,
  };
}

function limits(): Section {
  const { headersTimeoutMs, requestTimeoutMs, uploadTimeoutMs } = SERVER_LIMITS;
  return {
    id: 'limits',
    title: 'Limits',
    content: table({
      caption: 'Limits',
      columns: ['What', 'How much'],
      rows: [
        [
          html`Body`,
          html`${size(BODY_BYTES_MAX)} of JSON in UTF-8, ${SMALL_JSON_LIMITS.depthMax} levels deep, not compressed`,
        ],
        ...largeBodies(),
        [html`Headers`, html`${size(HEADER_BYTES_MAX)} and ${HEADERS_MAX} fields`],
        [
          html`Time to send`,
          html`${seconds(headersTimeoutMs)} seconds for the headers, ${seconds(requestTimeoutMs)} for the whole request, ${seconds(uploadTimeoutMs)} where it brings a file`,
        ],
        [
          html`Requests of a key`,
          inline('as `RateLimit-Limit` says; past it 429 with `Retry-After`'),
        ],
        [html`Times`, html`ISO 8601 in UTC`],
      ],
    }),
  };
}

/** The calls whose bodies may be larger than others. */
function largeBodies(): readonly (readonly Html[])[] {
  return serviceOperations().book.flatMap(({ method, path, bodyBytesMax, uploadBytesMax }) => {
    const bytesMax = uploadBytesMax ?? bodyBytesMax;
    if (bytesMax === undefined) return [];
    const what = uploadBytesMax === undefined ? '' : ', a file';
    const call = `${method} ${path.replace(/:(\w+)/g, '{$1}')}`;
    return [[html`Body of <code>${call}</code>`, html`${size(bytesMax)}${what}`]];
  });
}

function size(bytes: number): string {
  const kibibytes = bytes / 1_024;
  return kibibytes < 1_024 ? `${kibibytes} KiB` : `${kibibytes / 1_024} MiB`;
}

function seconds(ms: number): string {
  return String(ms / 1_000);
}

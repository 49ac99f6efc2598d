import { FIELD_CODES, PEOPLE_FIELD_CODES } from '../../../service/src/domain/field-problem.ts';
import { FAILURES } from '../../../service/src/domain/outcome.ts';
import { REFUSALS } from '../../../service/src/domain/refusal-codes.ts';
import { STATE_RULES, TRANSFER_STATES } from '../../../service/src/domain/transfer-state.ts';
import { FAILURE_ADVICE, REFUSAL_ADVICE } from '../advice.ts';
import type { OpenApiDocument } from '../openapi/openapi-document.ts';
import { jsonPanel } from './code-panel.ts';
import { type Html, html, inline, paragraphs, type Section, table } from './html.ts';
import { fieldTable } from './operation-section.ts';
import { listFields, nameIn } from './schema-fields.ts';
import { type DocumentPart, isForPeople, type Readers } from './split-document.ts';

const HOLD_WORDS = {
  held: 'funds held',
  settled: 'hold settled, fee booked',
  released: 'hold released',
  credited: 'credited again',
} as const;

export function programReference(part: DocumentPart): readonly Section[] {
  return [
    eventsSection(part.document),
    statesSection(),
    errorsSection('programs'),
    brokenFieldsSection('programs'),
    failuresSection(),
    ...objectSections(part),
  ];
}

/** What the page for programs does not have already. */
export function peopleReference(part: DocumentPart): readonly Section[] {
  return [errorsSection('people'), brokenFieldsSection('people'), ...objectSections(part)];
}

function eventsSection({ webhooks, components }: OpenApiDocument): Section {
  const events = Object.entries(webhooks).map(([type, { post }]) => ({ type, ...post }));
  const [any] = events;
  const example = events.find(({ type }) => type === 'transfer.successful')?.requestBody;
  const rows = events.map(({ type, summary, requestBody }) => {
    const { schema } = requestBody.content['application/json'];
    const name = nameIn(schema.properties?.data?.$ref ?? '');
    return [
      html`<code>${type}</code>`,
      html`${summary}`,
      html`<a href="#object-${name}">${name}</a>`,
    ];
  });
  return {
    id: 'events-you-receive',
    title: 'Events that we send',
    content: html`${paragraphs(any?.description ?? '')}
<p>${inline(
      'Attempts follow at once and after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, until you answer ' +
        '2xx within 15 seconds. 410 disables the webhook. What you missed is in ',
    )}<a href="#listEvents">the events</a>.</p>
${table({ caption: 'Types of events', columns: ['Type', 'Meaning', 'data'], rows })}
<h3>Headers of a delivery</h3>
${fieldTable(
  'Headers of a delivery',
  Object.values(components.parameters).map(({ name, schema, description = '' }) => ({
    path: name,
    type: String(schema.type),
    isRequired: true,
    rules: [],
    description,
  })),
)}`,
    code: jsonPanel('The body of a delivery', example?.content['application/json'].example),
  };
}

function statesSection(): Section {
  const rows = TRANSFER_STATES.map((state) => {
    const { status, hold, meaning, next } = STATE_RULES[state];
    return [
      html`<code class="state ${state}">${state}</code>`,
      html`<code>${status}</code>`,
      html`${HOLD_WORDS[hold]}`,
      html`${meaning}`,
      html`${next.length === 0 ? 'nothing else' : next.join(', ')}`,
    ];
  });
  return {
    id: 'states',
    title: 'States of a transfer',
    content: html`<p>${inline(
      '`status` is the answer in one word; `state` says exactly where a transfer stands. A transfer ' +
        'ends by evidence only. While it is not known whether money moved it is `in_doubt`: it stays ' +
        'pending, and its funds stay held. Do not pay again meanwhile.',
    )}</p>${table({
      caption: 'States of a transfer',
      columns: ['State', 'Status', 'Wallet', 'Meaning', 'May become'],
      rows,
    })}`,
  };
}

function errorsSection(readers: Readers): Section {
  const codes = Object.entries(REFUSALS).filter(
    ([code]) => isForPeople(code) === (readers === 'people'),
  );
  const rows = codes.map(([code, { status, retryable, message }]) => [
    html`<code id="error-${code}">${code}</code>`,
    html`${status}`,
    html`${retryable ? 'yes' : 'no'}`,
    html`${message}`,
    inline(Reflect.get(REFUSAL_ADVICE, code)),
  ]);
  return {
    id: 'errors',
    title: 'Error codes',
    content: html`<p>${inline(
      'In `data.error.code` of an answer whose `status` is false. Decide by the code, never by `message`.',
    )}</p>${readers === 'people' ? html`<p>${OTHER_CODES}</p>` : html``}${table({
      caption: 'Error codes',
      columns: ['Code', 'HTTP', 'Retry', 'Meaning', 'What to do'],
      rows,
    })}`,
  };
}

const OTHER_CODES = html`Only people get these. Codes that programs get too are among
<a href="/docs#errors">their error codes</a>.`;

function brokenFieldsSection(readers: Readers): Section {
  const ofPeople: readonly string[] = PEOPLE_FIELD_CODES;
  const codes = Object.entries(FIELD_CODES).filter(
    ([code]) => ofPeople.includes(code) === (readers === 'people'),
  );
  const rows = codes.map(([code, rule]) => [html`<code>${code}</code>`, html`${rule}`]);
  return {
    id: 'broken-fields',
    title: 'Broken fields',
    content: html`<p>${inline('Under `fields` of a `VALIDATION_ERROR`, all at once.')}</p>
${table({ caption: 'Codes of broken fields', columns: ['Code', 'What the field must be'], rows })}`,
  };
}

function failuresSection(): Section {
  const rows = Object.entries(FAILURES).map(([code, meaning]) => [
    html`<code id="failure-${code}">${code}</code>`,
    html`${meaning}`,
    inline(Reflect.get(FAILURE_ADVICE, code)),
  ]);
  return {
    id: 'failures',
    title: 'Why a transfer failed',
    content: html`<p>${inline(
      'In `failure.code` of a transfer that failed or was cancelled. No money moved, and the hold is ' +
        'released. To pay again, use a new `reference`.',
    )}</p>${table({
      caption: 'Why a transfer failed',
      columns: ['Code', 'Meaning', 'What to do'],
      rows,
    })}`,
  };
}

/** What has a name and appears in more than one place. */
function objectSections({ document, objects }: DocumentPart): readonly Section[] {
  const { schemas } = document.components;
  return objects.map((name) => {
    const { description = '', ...schema } = schemas[name] ?? {};
    const fields = fieldTable(name, listFields(schema, schemas));
    return { id: `object-${name}`, title: name, content: objectFields(name, description, fields) };
  });
}

function objectFields(name: string, description: string, fields: Html): Html {
  return html`<p>${inline(description)}</p>
${name === 'Failure' ? html`<p>The codes are listed under <a href="#errors">Error codes</a>.</p>` : html``}
${fields}`;
}

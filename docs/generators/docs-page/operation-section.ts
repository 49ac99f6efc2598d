import { REFUSALS, type RefusalCode } from '../../../service/src/domain/refusal-codes.ts';
import type { JsonSchema } from '../json-schema.ts';
import {
  BOOK_HEADER,
  jsonOf,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
} from '../openapi/openapi-document.ts';
import { breakAfter, codePanel, jsonPanel, ORIGIN } from './code-panel.ts';
import { type Html, html, inline, NOTHING, paragraphs, table } from './html.ts';
import { type Field, listFields, nameIn, rulesOf, typeName } from './schema-fields.ts';
import { takesKey } from './split-document.ts';

/** Where curl keeps the session of a person. */
const COOKIES = 'cookies.txt';

/** One operation with where to find it. */
export type Endpoint = Readonly<{ method: string; path: string; operation: OpenApiOperation }>;

export function methodBadge(method: string): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`;
}

export function operationSection(endpoint: Endpoint, document: OpenApiDocument): Html {
  const { method, path, operation } = endpoint;
  const id = operation.operationId;
  return html`<article class="pair" id="${id}" aria-labelledby="${id}-title">
<div class="told">
<h3 id="${id}-title">${operation.summary}</h3>
<p class="address">${methodBadge(method)} <code>${breakAfter('/', path)}</code></p>
${paragraphs(operation.description)}
${parameterTable(operation.parameters)}
${bodyTable(operation, document)}
${answerTables(operation, document)}
${refusals(operation)}
</div>
<div class="shown">${examples(endpoint)}</div>
</article>
`;
}

function parameterTable(parameters: readonly OpenApiParameter[]): Html {
  if (parameters.length === 0) return NOTHING;
  const fields = parameters.map((parameter) => ({
    path: parameter.name,
    type: `${parameter.in}, ${typeName(parameter.schema)}`,
    isRequired: parameter.required,
    rules: rulesOf(parameter.schema),
    description: parameter.description ?? '',
  }));
  return html`<h4>Parameters</h4>${fieldTable('Parameters', fields)}`;
}

function bodyTable({ requestBody }: OpenApiOperation, document: OpenApiDocument): Html {
  if (requestBody === undefined) return NOTHING;
  const schema = requestBody.content['application/json']?.schema;
  if (schema === undefined || isEmpty(schema)) return NOTHING;
  return html`<h4>Body</h4>${describeObject('Body', schema, document)}`;
}

function answerTables(operation: OpenApiOperation, document: OpenApiDocument): readonly Html[] {
  const told = successes(operation).filter(({ data }) => !isEmpty(data));
  return told.map(({ status, data }) => {
    const description = describeObject(`Answer ${status}`, data, document);
    return html`<h4>Answer ${status}, in <code>data</code></h4>${description}`;
  });
}

function isEmpty({ $ref, properties = {} }: JsonSchema): boolean {
  return $ref === undefined && Object.keys(properties).length === 0;
}

/** Its fields, or where they are described when it has a name. */
function describeObject(caption: string, schema: JsonSchema, document: OpenApiDocument): Html {
  if (schema.$ref === undefined) {
    return fieldTable(caption, listFields(schema, document.components.schemas));
  }
  const name = nameIn(schema.$ref);
  return html`<p><a href="#object-${name}">${name}</a></p>`;
}

export function fieldTable(caption: string, fields: readonly Field[]): Html {
  return table({
    caption,
    columns: ['Field', 'Meaning'],
    rows: fields.map((field) => {
      const optional = field.isRequired ? NOTHING : html`, <em>optional</em>`;
      const rules = field.rules.map((rule) => html`<span class="rule">${inline(rule)}</span>`);
      return [
        html`<code>${breakAfter('.', field.path)}</code><small>${linkedType(field.type)}${optional}</small>`,
        html`${inline(field.description)}${rules}`,
      ];
    }),
  });
}

/** The name of an object leads to its fields. */
function linkedType(type: string): Html {
  const [, before = '', name] = /^(.*?)([A-Z]\w+)$/.exec(type) ?? [];
  return name === undefined ? html`${type}` : html`${before}<a href="#object-${name}">${name}</a>`;
}

/** Every call can meet the others, so that only their codes are named here. */
const OWN_STATUSES = ['404', '409', '422'];

/** What this operation refuses, and the codes that every call can be answered with. */
function refusals({ responses }: OpenApiOperation): Html {
  const codes = Object.entries(responses).flatMap(([status, response]) => {
    if (!('$ref' in response)) return [];
    const names = [...response.description.matchAll(/`(\w+)`/g)];
    return names.map(([, code = '']) => ({ status, code }));
  });
  const own = codes.filter(({ status }) => OWN_STATUSES.includes(status));
  const rows = own.map(({ status, code }) => [
    html`${errorLink(code)}<small>${status}</small>`,
    html`${REFUSALS[code as RefusalCode].message}`,
  ]);
  const others = codes.filter(({ status }) => !OWN_STATUSES.includes(status));
  const links = others.map(({ code }) => html`<li>${errorLink(code)}</li>`);
  return html`<details class="fold"><summary>Refusals</summary>
${rows.length === 0 ? NOTHING : table({ caption: 'Refusals', columns: ['Code', 'Meaning'], rows })}
<p>As for other calls:</p><ul class="codes">${links}</ul>
</details>`;
}

function errorLink(code: string): Html {
  return html`<a href="#error-${code}"><code>${breakAfter('_', code)}</code></a>`;
}

function successes({ responses }: OpenApiOperation) {
  return Object.entries(responses).flatMap(([status, response]) => {
    const json = jsonOf(response);
    if (json === undefined) return [];
    const data: JsonSchema = json.schema.properties?.data ?? {};
    return [{ status, data, example: json.example }];
  });
}

function examples(endpoint: Endpoint): Html {
  const answer = successes(endpoint.operation).find(({ example }) => example !== undefined);
  const request = codePanel('Request', 'shell', curlLines(endpoint));
  if (answer === undefined) return request;
  return html`${request}${jsonPanel(`Answer ${answer.status}`, answer.example)}`;
}

function curlLines({ method, path, operation }: Endpoint): string {
  const { content } = operation.requestBody ?? {};
  const body = content?.['application/json']?.example;
  const file = content !== undefined && 'text/csv' in content ? content['text/csv'] : undefined;
  // With a body, POST is what curl sends by itself.
  const verb =
    method === ((body ?? file) === undefined ? 'get' : 'post') ? '' : `-X ${method.toUpperCase()} `;
  const lines = [
    `curl ${verb}${shellWord(ORIGIN + filledPath(path, operation))}`,
    ...credentials(method, operation),
  ];
  if (body !== undefined) {
    const text = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
    lines.push(`-H "content-type: application/json"`, `-d '${text}'`);
  }
  if (file !== undefined) {
    lines.push(`-H "content-type: text/csv"`, `--data-binary '${file.example}'`);
  }
  return lines.join(' \\\n  ');
}

/** What the request shows of who sends it, and the book that a person means. */
function credentials(method: string, { security, parameters }: OpenApiOperation): string[] {
  if (takesKey({ security })) return [`-H "x-api-key: $KAFUE_KEY"`];
  if (security.length === 0) return method === 'post' ? [`-c ${COOKIES}`] : [];
  const isInBook = parameters.some(({ name }) => name === BOOK_HEADER);
  return [`-b ${COOKIES}`, ...(isInBook ? [`-H "${BOOK_HEADER}: $BOOK_ID"`] : [])];
}

function filledPath(path: string, { parameters }: OpenApiOperation): string {
  const given = parameters.filter(({ example }) => example !== undefined);
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const parameter = given.find((candidate) => candidate.in === 'path' && candidate.name === name);
    return parameter === undefined ? whole : encodeURIComponent(String(parameter.example));
  });
  const query = given.filter((parameter) => parameter.in === 'query');
  if (query.length === 0) return filled;
  const search = Object.fromEntries(query.map(({ name, example }) => [name, String(example)]));
  return `${filled}?${new URLSearchParams(search).toString()}`;
}

/** Quotes for what the shell would read otherwise. */
function shellWord(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `"${text}"`;
}

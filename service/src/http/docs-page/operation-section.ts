import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from '../openapi/openapi.ts';
import type { JsonSchema } from '../server/json-schema.ts';
import { exampleValue } from './example-value.ts';
import { type Html, html, inline, NOTHING, paragraphs, table } from './html.ts';
import { type Field, listFields, nameIn, rulesOf, typeName } from './schema-fields.ts';

/** One operation with where to find it. */
export type Endpoint = Readonly<{ method: string; path: string; operation: OpenApiOperation }>;

export function methodBadge(method: string): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`;
}

export function operationSection(endpoint: Endpoint, document: OpenApiDocument): Html {
  const { method, path, operation } = endpoint;
  const id = operation.operationId;
  return html`<article class="operation" id="${id}" aria-labelledby="${id}-title">
<div class="told">
<h3 id="${id}-title">${operation.summary} <a class="anchor" href="#${id}" aria-label="Link to ${operation.summary}">#</a></h3>
<p class="address">${methodBadge(method)} <code>${breakable(path)}</code></p>
${paragraphs(operation.description)}
${parameterTable(operation.parameters)}
${bodyTable(operation, document)}
${answerTables(operation, document)}
${failureList(operation)}
</div>
<div class="shown">${examples(endpoint, document)}</div>
</article>
`;
}

/** Lets a long path break after its slashes. */
function breakable(path: string): Html {
  return html`${path.split('/').map((part, index) => (index === 0 ? html`${part}` : html`/<wbr>${part}`))}`;
}

function parameterTable(parameters: readonly OpenApiParameter[]): Html {
  if (parameters.length === 0) return NOTHING;
  return html`<h4>Parameters</h4>${fieldTable(
    'Parameters',
    parameters.map((parameter) => ({
      path: parameter.name,
      type: `${parameter.in}, ${typeName(parameter.schema)}`,
      isRequired: parameter.required,
      rules: rulesOf(parameter.schema),
      description: parameter.description ?? '',
    })),
  )}`;
}

function bodyTable({ requestBody }: OpenApiOperation, document: OpenApiDocument): Html {
  if (requestBody === undefined) return NOTHING;
  const { schema } = requestBody.content['application/json'];
  return html`<h4>Body</h4>${describeObject('Body', schema, document)}`;
}

function answerTables(operation: OpenApiOperation, document: OpenApiDocument): readonly Html[] {
  return successes(operation).map(({ status, data }) => {
    const description = describeObject(`Answer ${status}`, data, document);
    return html`<h4>Answer ${status}, in <code>data</code></h4>${description}`;
  });
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
    columns: ['Name', 'Type', 'Meaning'],
    rows: fields.map((field) => [
      html`<code>${field.path}</code>${field.isRequired ? NOTHING : html` <span class="optional">optional</span>`}`,
      html`${field.type}`,
      inline([field.description, ...field.rules.map((rule) => `${capital(rule)}.`)].join(' ')),
    ]),
  });
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function failureList({ responses }: OpenApiOperation): Html {
  const statuses = Object.keys(responses).filter((status) => Number(status) >= 400);
  const links = statuses.map((status) => html`<li><a href="#status-${status}">${status}</a></li>`);
  return html`<h4>Failures</h4><ul class="statuses">${links}</ul>`;
}

function successes({ responses }: OpenApiOperation) {
  return Object.entries(responses).flatMap(([status, response]) => {
    if (!('content' in response)) return [];
    const { schema } = response.content['application/json'];
    const data: JsonSchema = schema.properties?.data ?? {};
    return [{ status, schema, data }];
  });
}

function examples(endpoint: Endpoint, document: OpenApiDocument): Html {
  const { schemas } = document.components;
  const [success] = successes(endpoint.operation);
  const request = codePanel('Request', curlLines(endpoint, document));
  if (success === undefined) return request;
  const answer = JSON.stringify(exampleValue(success.schema, schemas), null, 2);
  return html`${request}${codePanel(`Answer ${success.status}`, answer)}`;
}

function codePanel(title: string, code: string): Html {
  return html`<figure><figcaption>${title}</figcaption><pre tabindex="0"><code>${code}</code></pre></figure>`;
}

function curlLines({ method, path, operation }: Endpoint, document: OpenApiDocument): string {
  const { schemas } = document.components;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = operation.parameters.find((candidate) => candidate.name === name);
    return String(exampleValue(parameter?.schema ?? {}, schemas));
  });
  const lines = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"$KAFUE_URL${filled}"`,
    `-H "x-api-key: $KAFUE_KEY"`,
  ];
  const schema = operation.requestBody?.content['application/json'].schema;
  if (schema !== undefined) {
    const body = JSON.stringify(exampleValue(schema, schemas), null, 2).replaceAll("'", "'\\''");
    lines.push(`-H "content-type: application/json"`, `-d '${body}'`);
  }
  return lines.join(' \\\n  ');
}

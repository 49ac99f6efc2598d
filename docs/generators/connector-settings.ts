import { CONNECTOR_KINDS } from '../../service/src/operators/connector-kinds.ts';
import type { ConnectorKind } from '../../service/src/operators/contract/connector-kind.ts';
import { type JsonSchema, toPlainSchema } from './json-schema.ts';

type Setting = JsonSchema & Readonly<{ secret?: boolean }>;

export function renderConnectorSettings(): string {
  return `# The settings of the connectors

Generated from the connectors' schemas by \`npm run generate\`. What each setting is for, what is
uncertain, and what an operator's answers mean, is in the README of the connector. How they stand in the
file: [the route file](route-file.md).

How hard a route presses its operator unless its \`limits\` say otherwise:

| connector | pairs | \`concurrency\` | \`submitsPerSecond\` | \`inquiriesPerSecond\` | \`namesPerSecond\` |
|---|---|---|---|---|---|
${CONNECTOR_KINDS.map(renderLimits).join('\n')}

${CONNECTOR_KINDS.map(renderKind).join('\n\n')}
`;
}

function renderLimits({ name, pairs, operatorLimits }: ConnectorKind): string {
  const { concurrency, submitsPerSecond, inquiriesPerSecond, namesPerSecond } = operatorLimits;
  const served = pairs?.map(({ operator, country }) => `${operator} ${country}`).join(', ');
  const cells = [concurrency, submitsPerSecond, inquiriesPerSecond, namesPerSecond];
  return `| \`${name}\` | ${served ?? 'any'} | ${cells.join(' | ')} |`;
}

function renderKind({ name, settings }: ConnectorKind): string {
  const { properties = {}, required = [] } = toPlainSchema(settings);
  const rows = Object.entries(properties).map(([setting, schema]) => {
    const need = renderNeed(schema, required.includes(setting));
    const cells = [code(setting), need, renderValues(schema), schema.description ?? '–'];
    return `| ${cells.join(' | ')} |`;
  });
  return `## ${name}

[README](../service/src/operators/${name}/README.md)

| setting | default | value | meaning |
|---|---|---|---|
${rows.join('\n')}`;
}

function renderNeed(schema: Setting, isRequired: boolean): string {
  const need = isRequired ? 'required' : schema.default === undefined ? '–' : code(schema.default);
  return schema.secret === true ? `${need}, secret` : need;
}

function renderValues(schema: Setting): string {
  const words = schema.enum ?? schema.anyOf?.map((one) => one.const);
  if (words !== undefined) return words.map(code).join(', ');
  const { type, minimum, maximum, minLength, maxLength, pattern } = schema;
  if (type === 'string' && pattern !== undefined) return `text, ${code(pattern)}`;
  if (type === 'string' && maxLength !== undefined) {
    return `text, ${minLength === undefined ? 'up' : minLength} to ${maxLength} characters`;
  }
  if (type === 'string') return 'text';
  if (type === 'integer') return `${minimum ?? 0} to ${maximum ?? ''}`;
  return type === 'boolean' ? '`true`, `false`' : 'a list';
}

/** A bar would end the cell of the table. */
function code(value: unknown): string {
  return `\`${String(value).replaceAll('|', '\\|')}\``;
}

import { FIELD_CODES } from '../../service/src/domain/field-problem.ts';
import { FAILURES } from '../../service/src/domain/outcome.ts';
import { REFUSALS } from '../../service/src/domain/refusal-codes.ts';
import { FAILURE_ADVICE, REFUSAL_ADVICE } from './advice.ts';

export function renderErrorCodes(): string {
  const refusals = Object.entries(REFUSALS);
  const ofPeople = refusals.filter(([, rule]) => 'isForPeople' in rule);
  const ofPrograms = refusals.filter(([, rule]) => !('isForPeople' in rule));
  const fields = Object.entries(FIELD_CODES).map(
    ([code, message]) => `| \`${code}\` | ${message} |`,
  );
  const failures = Object.entries(FAILURES).map(
    ([code, message]) => `| \`${code}\` | ${message} | ${Reflect.get(FAILURE_ADVICE, code)} |`,
  );
  return `# Error codes

Generated from \`service/src/domain/refusal-codes.ts\` and \`outcome.ts\` by \`npm run generate\`.

A refused request answers \`status: false\`, a \`message\` for people, and
\`data.error: {code, retryable, requestId, fields?}\`. Decide by \`code\`, never by \`message\`. The header
\`X-Should-Retry\` says the same as \`retryable\`: whether the same request, sent again unchanged, may
succeed. The meaning below is the usual message; an answer may say it more exactly.

## For programs

With an API key. People with a session get them, too.

${renderTable(ofPrograms)}

## For people

With a session alone: nothing that a program with an API key does leads to them.

${renderTable(ofPeople)}

## Broken fields

Under \`fields\` of a \`VALIDATION_ERROR\`: all of them at once.

| code | meaning |
|---|---|
${fields.join('\n')}

## Why a transfer failed

In \`failure.code\` of a transfer whose status is \`failed\` or \`cancelled\`.

| code | meaning | what to do |
|---|---|---|
${failures.join('\n')}
`;
}

type Refusals = readonly (readonly [string, (typeof REFUSALS)[keyof typeof REFUSALS]])[];

function renderTable(refusals: Refusals): string {
  const rows = refusals.map(
    ([code, { status, retryable, message }]) =>
      `| ${status} | \`${code}\` | ${retryable ? 'yes' : 'no'} | ${message} | ${Reflect.get(REFUSAL_ADVICE, code)} |`,
  );
  return `| HTTP | code | retry | meaning | what to do |
|---|---|---|---|---|
${rows.join('\n')}`;
}

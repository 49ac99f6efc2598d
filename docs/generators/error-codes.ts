import { FAILURES } from '../../service/src/domain/outcome.ts';
import { FIELD_CODES, REFUSALS } from '../../service/src/domain/refusal.ts';
import { FAILURE_ADVICE, REFUSAL_ADVICE } from './advice.ts';

export function renderErrorCodes(): string {
  const refusals = Object.entries(REFUSALS).map(
    ([code, rule]) =>
      `| ${rule.status} | \`${code}\` | ${rule.retryable ? 'yes' : 'no'} | ${rule.message} | ${Reflect.get(REFUSAL_ADVICE, code)} |`,
  );
  const fields = Object.entries(FIELD_CODES).map(
    ([code, message]) => `| \`${code}\` | ${message} |`,
  );
  const failures = Object.entries(FAILURES).map(
    ([code, message]) => `| \`${code}\` | ${message} | ${Reflect.get(FAILURE_ADVICE, code)} |`,
  );
  return `# Error codes

Generated from \`service/src/domain/refusal.ts\` and \`outcome.ts\` by \`npm run generate\`.

A refused request answers \`status: false\`, a \`message\` for people, and
\`data.error: {code, retryable, requestId, fields?}\`. Decide by \`code\`, never by \`message\`. The header
\`X-Should-Retry\` says the same as \`retryable\`: whether the same request, sent again unchanged, may
succeed.

| HTTP | code | retry | meaning | what to do |
|---|---|---|---|---|
${refusals.join('\n')}

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

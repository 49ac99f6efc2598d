import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkPlainText } from '../../../service/src/domain/plain-text.ts';
import { inOneLine } from './one-line.ts';

it('joins what people wrote in several lines, so that the service takes it', () => {
  const body = { evidence: 'Statement of MTN\r\n\r\nline 4,\tticket 5\u2028end \n', amount: 5 };
  const sent = inOneLine(body);
  assert.deepEqual(sent, { evidence: 'Statement of MTN line 4, ticket 5 end', amount: 5 });
  assert.equal(checkPlainText(body.evidence, { codePointsMax: 500 }), 'INVALID_TEXT');
  assert.equal(checkPlainText(sent.evidence, { codePointsMax: 500 }), 'ok');
  assert.equal(inOneLine(null), null);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type SignedMessage, signatureBase } from './signature-base.ts';
import { readSignatureInput } from './signature-input.ts';

const WRITTEN =
  '("@method" "@authority" "@path" "signature-date" "content-digest" "content-type")' +
  ';alg="ecdsa-p256-sha256";keyid="MY_KEY";created=1714653405;expires=1714653465';

const MESSAGE: SignedMessage = {
  method: 'post',
  authority: 'API.pawapay.io',
  path: '/v2/payouts',
  headers: {
    'signature-date': '2026-07-01T10:00:00.123456Z',
    'content-digest': 'sha-512=:AAAA:',
    'content-type': ' application/json; charset=UTF-8 ',
    'content-length': '2',
  },
};

describe('the signature base', () => {
  it('has one line per component, separated by LF, with none at the end', () => {
    const input = readSignatureInput(WRITTEN);
    assert(input);
    const expected = [
      '"@method": POST',
      '"@authority": api.pawapay.io',
      '"@path": /v2/payouts',
      '"signature-date": 2026-07-01T10:00:00.123456Z',
      '"content-digest": sha-512=:AAAA:',
      '"content-type": application/json; charset=UTF-8',
      `"@signature-params": ${WRITTEN}`,
    ].join('\n');
    assert.equal(signatureBase(input, MESSAGE), expected);
  });

  it('follows the order and the components of the received list', () => {
    const input = readSignatureInput('("content-length" "@path");keyid="K"');
    assert(input);
    assert.equal(
      signatureBase(input, MESSAGE),
      '"content-length": 2\n"@path": /v2/payouts\n"@signature-params": ("content-length" "@path");keyid="K"',
    );
  });

  it('is undefined when a covered component is missing or unsupported', () => {
    for (const written of ['("x-absent")', '("@query-param")', '("toString")']) {
      const input = readSignatureInput(written);
      assert(input);
      assert.equal(signatureBase(input, MESSAGE), undefined, written);
    }
  });
});

describe('Signature-Input', () => {
  it('is read into components and parameters, and its raw text is kept', () => {
    const input = readSignatureInput(WRITTEN);
    assert.equal(input?.components.length, 6);
    assert.equal(input.parameters.get('alg'), 'ecdsa-p256-sha256');
    assert.equal(input.parameters.get('keyid'), 'MY_KEY');
    assert.equal(input.parameters.get('created'), 1714653405);
    assert.equal(input.parameters.get('expires'), 1714653465);
    assert.equal(input.written, WRITTEN);
  });

  it('takes parameters in any order, with a space after the semicolon', () => {
    const input = readSignatureInput('("@method"); created=5;keyid="a b;c"');
    assert.equal(input?.parameters.get('created'), 5);
    assert.equal(input.parameters.get('keyid'), 'a b;c');
  });

  it('is refused when it is not a list of plain names with readable parameters', () => {
    const broken = [
      '',
      '"@method"',
      '("@method"',
      '(@method)',
      '("@method" "@method")',
      '("@method";req)',
      '("@method");created=',
      '("@method");created=1e5',
      '("@method") trailing',
      '("@method");CREATED=1',
    ];
    for (const written of broken) assert.equal(readSignatureInput(written), undefined, written);
  });
});

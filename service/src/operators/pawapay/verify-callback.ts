import type { KeyObject } from 'node:crypto';
import type { RawCallback } from '../contract/connector.ts';
import { digestHolds, isSignatureAlgorithm, signatureBase, verifyBase } from './http-signature.ts';
import { SIGNATURE_LABEL } from './sign-request.ts';

/** The largest accepted clock difference. */
const CLOCK_SKEW_S = 60;
/** pawaPay repeats a callback for this long. */
const AGE_MAX_S = 15 * 60;
const HEADER_LENGTH_MAX = 4_096;

/** Without these a signature would not bind the body to its destination. */
const COVERED_AT_LEAST = ['@method', '@authority', '@path', 'content-digest'];

export type SignatureVerdict =
  | Readonly<{ kind: 'holds' }>
  | Readonly<{ kind: 'missing' }>
  | Readonly<{ kind: 'unknownKey' }>
  | Readonly<{ kind: 'wrong'; cause: string }>;

type SignatureInput = Readonly<{
  names: readonly string[];
  /** The parameters as they were written, because they are signed too. */
  parameters: string;
  values: ReadonlyMap<string, string>;
}>;

/** Whether the callback has pawaPay's signature over this body, URL and time. */
export function verifyCallback(
  callback: RawCallback,
  known: Readonly<{
    keyOf: (keyId: string) => KeyObject | undefined;
    /** The host that pawaPay calls; a proxy in between may have changed the header. */
    authority: string | null;
    now: Date;
  }>,
): SignatureVerdict {
  const { 'signature-input': inputHeader, signature: signatureHeader } = callback.headers;
  if (inputHeader === undefined && signatureHeader === undefined) return { kind: 'missing' };
  const input = readInput(inputHeader ?? '');
  const signature = readSignature(signatureHeader ?? '');
  if (input === undefined || signature === undefined) return wrong('the signature cannot be read');
  const missing = COVERED_AT_LEAST.find((name) => !input.names.includes(name));
  if (missing !== undefined) return wrong(`the signature does not cover ${missing}`);
  if (!digestHolds(callback.headers['content-digest'] ?? '', callback.body)) {
    return wrong('content-digest is not that of the body');
  }
  const untimely = judgeTime(input.values, known.now);
  if (untimely !== undefined) return wrong(untimely);
  const components = readComponents(input.names, callback, known.authority);
  if (components === undefined) return wrong('the signature covers what is not there');
  const algorithm = input.values.get('alg') ?? '';
  if (!isSignatureAlgorithm(algorithm)) return wrong('the algorithm is not one that is documented');
  const key = known.keyOf(input.values.get('keyid') ?? '');
  if (key === undefined) return { kind: 'unknownKey' };
  const base = signatureBase(components, input.parameters);
  return verifyBase(base, { key, algorithm, signature })
    ? { kind: 'holds' }
    : wrong('the signature does not hold');
}

// A member of a structured field dictionary: an inner list of plain strings with plain parameters.
const INPUT_MEMBER = new RegExp(
  `(?:^|,)[ \\t]*${SIGNATURE_LABEL}=` +
    '(\\(((?:"[^"\\\\]*")?(?: "[^"\\\\]*")*)\\)((?:;[a-z]+=(?:"[^"\\\\]*"|[0-9]{1,15}))*))' +
    '[ \\t]*(?=,|$)',
);
const SIGNATURE_MEMBER = new RegExp(
  `(?:^|,)[ \\t]*${SIGNATURE_LABEL}=:([0-9A-Za-z+/=]+):[ \\t]*(?=,|$)`,
);

function readInput(header: string): SignatureInput | undefined {
  if (header.length > HEADER_LENGTH_MAX) return undefined;
  const [, parameters, list, rest] = INPUT_MEMBER.exec(header) ?? [];
  if (parameters === undefined) return undefined;
  const names = [...(list ?? '').matchAll(/"([^"]*)"/g)].map(([, name = '']) => name);
  const pairs = [...(rest ?? '').matchAll(/;([a-z]+)=(?:"([^"]*)"|([0-9]+))/g)];
  const values = new Map(pairs.map(([, name = '', text, number]) => [name, text ?? number ?? '']));
  return { names, parameters, values };
}

function readSignature(header: string): Buffer | undefined {
  if (header.length > HEADER_LENGTH_MAX) return undefined;
  const base64 = SIGNATURE_MEMBER.exec(header)?.[1];
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
}

/** Why the time of the signature is not acceptable; undefined if it is. */
function judgeTime(values: ReadonlyMap<string, string>, now: Date): string | undefined {
  const created = values.get('created');
  const expires = values.get('expires');
  if (created === undefined) return 'the signature does not say when it was made';
  const nowS = now.getTime() / 1_000;
  if (Number(created) > nowS + CLOCK_SKEW_S) return 'the signature is from the future';
  const endS = expires === undefined ? Number(created) + AGE_MAX_S : Number(expires);
  return endS + CLOCK_SKEW_S < nowS ? 'the signature has expired' : undefined;
}

function readComponents(
  names: readonly string[],
  callback: RawCallback,
  authority: string | null,
): readonly Readonly<{ name: string; value: string }>[] | undefined {
  const [path = ''] = callback.path.split('?', 1);
  const derived: Readonly<Record<string, string | undefined>> = {
    '@method': callback.method,
    '@authority': authority ?? callback.headers.host?.toLowerCase(),
    '@path': path,
  };
  const components: { name: string; value: string }[] = [];
  for (const name of names) {
    const source = name.startsWith('@') ? derived : callback.headers;
    const value = Object.hasOwn(source, name) ? source[name] : undefined;
    // A name that occurs twice would allow two texts for one signature.
    if (value === undefined || components.some((earlier) => earlier.name === name))
      return undefined;
    components.push({ name, value: value.trim() });
  }
  return components;
}

function wrong(cause: string): SignatureVerdict {
  return { kind: 'wrong', cause };
}

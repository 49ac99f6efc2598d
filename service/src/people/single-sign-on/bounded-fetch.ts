import type { CustomFetch } from 'openid-client';

/** Metadata, keys and tokens of an issuer have a few KiB. */
const ANSWER_BYTES_MAX = 256 * 1_024;

/** An answer that is longer than any that an issuer needs is not kept in memory. */
export const boundedFetch: CustomFetch = async (url, { body, ...options }) => {
  const answer = await fetch(url, { ...options, ...(body === undefined ? {} : { body }) });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > ANSWER_BYTES_MAX) throw new Error('the answer of the issuer is too long');
    chunks.push(chunk);
  }
  const { status, headers } = answer;
  return new Response(chunks.length === 0 ? null : Buffer.concat(chunks), { status, headers });
};

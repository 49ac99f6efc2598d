import type { CallbackReading, RawCallback } from '../contract/connector.ts';
import { type ExactJson, readExactJson, textAt } from '../wire/exact-json.ts';
import { vodacomMeaning } from './codes.ts';
import { fromConversationId } from './references.ts';

/** Reads the result of the async flow. It is unsigned: any client could have sent it. */
export function readVodacomCallback(callback: RawCallback): CallbackReading {
  const json = readExactJson(callback.body.toString('utf8'));
  if (json === undefined) return { kind: 'unreadable', cause: 'the body is not JSON' };
  const conversationId = textAt(json, 'input_ThirdPartyConversationID') ?? '';
  const operatorReference = fromConversationId(conversationId);
  if (operatorReference === undefined) {
    const cause = 'input_ThirdPartyConversationID is not a reference of ours';
    return { kind: 'unreadable', cause };
  }
  const claims = claimOf(textAt(json, 'input_ResultCode'));
  const acknowledgement = acknowledge(json, conversationId);
  return { kind: 'read', operatorReference, claims, verified: false, acknowledgement };
}

/** The answer that M-Pesa expects: that the result was received, with its own ids. */
function acknowledge(json: ExactJson, conversationId: string): string {
  return JSON.stringify({
    output_OriginalConversationID: textAt(json, 'input_OriginalConversationID') ?? '',
    output_ResponseCode: '0',
    output_ResponseDesc: 'Successfully Accepted Result',
    output_ThirdPartyConversationID: conversationId,
  });
}

function claimOf(resultCode: string | undefined): 'paid' | 'failed' | 'unknown' {
  if (resultCode === undefined) return 'unknown';
  // Some markets send the bare code of the platform behind the API.
  const code = /^[0-9]+$/.test(resultCode) ? `INS-${resultCode}` : resultCode;
  const meaning = vodacomMeaning(code);
  if (meaning.kind === 'processed') return 'paid';
  return meaning.kind === 'refused' ? 'failed' : 'unknown';
}

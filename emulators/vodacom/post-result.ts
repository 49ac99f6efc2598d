import { randomUUID } from 'node:crypto';
import type { Payout } from '../kernel/behaviour.ts';
import type { EmulatorContext } from '../kernel/emulator-context.ts';
import type { Notice } from '../kernel/plan-notices.ts';
import { readJsonObject } from '../kernel/read-json-object.ts';
import { refusalCode } from '../kernel/refusal-words.ts';
import { codeFacts, REFUSAL_CODES } from './ins-codes.ts';
import { conversationIdOf } from './payout-index.ts';
import type { Acknowledgement, VodacomState } from './vodacom-state.ts';

type Result = Readonly<{
  input_OriginalConversationID: string;
  input_TransactionID: string;
  input_ResultCode: string;
  input_ResultDesc: string;
  input_ThirdPartyConversationID: string;
}>;

/** In the asynchronous flow the end is posted, unsigned, to the URL that was configured at onboarding. */
export async function listenForEnd(
  state: VodacomState,
  { backend, sendCallback }: EmulatorContext,
  payout: Payout,
): Promise<void> {
  if (state.settings.flow === 'sync') return;
  await backend.onEnd(payout, async (notice) => {
    const url = state.responseUrl;
    if (url === null) return;
    const result = describe(state, notice, {
      payout,
      refusal: refusalCode(backend.refusalOf(payout), REFUSAL_CODES),
    });
    const { status, answer } = await sendCallback({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(result),
    });
    state.acknowledge(readAcknowledgement(result, { status, answer }));
  });
}

function describe(
  { settings }: VodacomState,
  notice: Notice,
  { payout, refusal }: Readonly<{ payout: Payout; refusal: string }>,
): Result {
  // There is no result code for "pending"; a timeout leaves the end equally open.
  const code = { paid: 'INS-0', failed: refusal, pending: 'INS-9' }[notice.says];
  return {
    // A forger knows our reference at most, not the conversation id.
    input_OriginalConversationID: notice.forged
      ? randomUUID().replaceAll('-', '')
      : conversationIdOf(payout),
    input_TransactionID: payout.operatorTransactionId,
    input_ResultCode: settings.resultCodesAs === 'INS-0' ? code : code.replace('INS-', ''),
    input_ResultDesc: codeFacts(code).description,
    input_ThirdPartyConversationID: notice.ourReference,
  };
}

/** The receiver must answer with the same ids and a `0`. */
export function readAcknowledgement(
  result: Result,
  { status, answer }: Readonly<{ status: number | null; answer: string }>,
): Acknowledgement {
  const why = whyNotAcknowledged(result, { status, answer });
  const thirdPartyConversationId = result.input_ThirdPartyConversationID;
  return { thirdPartyConversationId, accepted: why === null, why };
}

function whyNotAcknowledged(
  result: Result,
  { status, answer }: Readonly<{ status: number | null; answer: string }>,
): string | null {
  if (status === null) return 'no answer';
  if (status < 200 || status > 299) return `HTTP ${status}`;
  const given = readJsonObject(Buffer.from(answer));
  if (given === null) return 'not a JSON object';
  const expected: Readonly<Record<string, string>> = {
    output_OriginalConversationID: result.input_OriginalConversationID,
    output_ResponseCode: '0',
    output_ThirdPartyConversationID: result.input_ThirdPartyConversationID,
  };
  const wrong = Object.keys(expected).filter((name) => given[name] !== expected[name]);
  if (typeof given['output_ResponseDesc'] !== 'string') wrong.push('output_ResponseDesc');
  return wrong.length === 0 ? null : `wrong or missing: ${wrong.join(', ')}`;
}

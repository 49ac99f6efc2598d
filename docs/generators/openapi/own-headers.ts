/** The headers of an operation's answers that not every answer has, by status. A test tries them. */
export const OWN_HEADERS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  initiateTransfer: { 201: ['Location', 'Idempotent-Replayed'] },
  // The first upload answers 201, the same again under its key 200.
  uploadPayoutFile: { 200: ['Location', 'Idempotent-Replayed'], 201: ['Location'] },
  createRecipient: { 201: ['Location'] },
  createWebhook: { 201: ['Location'] },
  createSchedule: { 201: ['Location'] },
  beginSingleSignOn: { 302: ['Location'] },
  finishSingleSignOn: { 302: ['Location'] },
};

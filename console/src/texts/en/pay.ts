import { listAnd, listOr, plural } from '../plural.ts';

/** Texts of paying one. */
export const pay = {
  intro: 'Nothing is sent until you press the button at the end.',
  wallet: 'From wallet',
  frozen: 'frozen',
  phone: 'Phone number',
  phoneTest:
    'In TEST the last digits decide: 901 has no account, 913 stays in doubt for ever, 941 waits. Others are paid.',
  operator: 'Operator',
  choose: 'Choose',
  predicted: 'Read from the number. Change it if the number was taken to another operator.',
  predictedOther: (operator: string) =>
    `The number began at ${operator}. Check that it was taken to another operator.`,
  operatorOpen: (operator: string) => `${operator} takes payouts now.`,
  operatorClosed: (operator: string) =>
    `${operator} takes no payouts now. This one waits in the queue, and you may cancel it there.`,
  name: 'Recipient’s name',
  nameKnown: (operator: string) => `${operator} has this number as`,
  nameUnknown: 'The operator does not say now whose number it is.',
  takeName: 'Use it',
  match: { match: 'match', close: 'close', mismatch: 'other name' },
  amount: 'Amount',
  bounds: (operator: string, min: string, max: string) => `${operator} takes ${min} to ${max}`,
  reference: 'Reference',
  referenceHelp: 'Made for this form. It can be paid once, for ever.',
  referenceFixed: 'It cannot be changed now. What was sent with it may still be stored.',
  referenceRetry: (failed: string) =>
    `It follows from ${failed}, which failed, so that it is paid again only once.`,
  narration: 'Narration',
  narrationHelp: 'The recipient may see it.',
  sendAt: 'Send at',
  sendAtHelp:
    'In your own time zone, up to 90 days ahead. Left out: at once. The money is held from now on.',
  will: {
    title: 'What will happen',
    amount: 'Amount',
    fee: 'Fee',
    total: 'Leaves the wallet',
    after: 'Available after',
    notYet: 'Fill in the number and the amount: fee, operator and limits show here as you type.',
    failed: 'It could not be checked. Paying is still possible: the service checks it again.',
    approvals: (count: number) => `Needs ${count === 1 ? '1 approval' : `${count} approvals`}`,
    byRules: (rules: readonly string[]) =>
      rules.length === 0 ? '' : `by ${listAnd(rules.map((rule) => `“${rule}”`))}.`,
    canGive: (names: readonly string[]) => `${listOr(names)} can give it.`,
  },
  limits: {
    title: 'Limits today',
    by: {
      wallet: 'This wallet',
      key: 'This API key',
      person: 'You',
      recipient: 'This recipient',
      operator: 'This operator',
    } as Readonly<Record<string, string>>,
    rule: (rule: string) => `rule “${rule}”`,
    count: (count: number) => plural(count, { one: 'payout', other: 'payouts' }),
    left: 'left',
    help: 'The lighter part is this payout.',
  },
  similar: {
    title: 'Looks like a payout of the last 24 hours.',
    to: 'to the same number, reference',
    both: 'Two payouts with different references are both paid.',
    answer: 'This is another one, pay it too',
  },
  warned: {
    title: 'The policy warns of this payout.',
    rule: (rule: string) => `Rule “${rule}”:`,
    answer: 'I have looked at it, pay it',
  },
  says: {
    lead: 'You pay from',
    one: '1 payout,',
    to: (name: string) => `to ${name}`,
    at: 'sent at',
    atOnce: 'sent at once',
    approved: 'sent as soon as it is approved',
  },
  act: (sum: string, name: string) => `Pay ${sum} to ${name}`,
  actAsk: (sum: string, name: string) => `Ask for approval: ${sum} to ${name}`,
  actPlain: 'Pay',
  test: ' (test)',
  inactive: {
    offline: 'There is no connection now.',
    missing: (fields: readonly string[]) => `Still missing: ${listAnd(fields)}.`,
    checking: 'It is being checked.',
    lookUp: 'First look it up by its reference.',
    duplicate: 'A payout has this reference already.',
    similar: 'First answer the question about the similar payout.',
    warned: 'First answer the warning of the policy.',
  },
  done: (sum: string, name: string) => `Stored: ${sum} to ${name}`,
  notKnown: {
    title: 'We do not know whether it was stored.',
    detail:
      'The connection broke before the answer came. Look it up by its reference before you do anything else.',
    act: 'Look it up by its reference',
    failed: 'It could not be looked up.',
    absent: 'It is not stored so far. It may still be under way.',
    absentDetail:
      'Press the button again: with the same reference it is paid only once. Do not pay it in another way before that.',
  },
  duplicate: {
    title: 'A payout has this reference already, and nothing more was paid.',
    detail: 'Open it, and compare number and amount before you pay in another way.',
    act: 'Open the payout with this reference',
  },
  noWallets: 'There is no wallet to pay from',
  noWalletsDetail: 'The company that runs Kafue opens and funds wallets. Ask it for one.',
} as const;

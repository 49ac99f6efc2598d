export const wallet = {
  available: 'Available',
  availableHelp: 'can be paid out now',
  held: 'Held',
  heldHelp: 'for payouts that are under way',
  frozen:
    'This wallet is frozen: nothing can be paid out of it. Ask the company that runs Kafue why.',
  id: 'wallet id',
  gone: 'There is no such wallet in this book.',
  statement: 'Statement',
  caption: 'Postings, newest first',
  order: 'Newest first',
  time: 'Time',
  what: 'What',
  number: 'No.',
  download: 'Download CSV',
  downloadAll: 'All postings of the period, as CSV',
  tooMany: (rows: string) =>
    `The file has the newest ${rows} postings of the period. Choose a shorter period for the others.`,
  from: 'From',
  to: 'To',
  kinds: {
    fund: 'Funded',
    hold: 'Set aside for a payout',
    settle: 'Paid out',
    fee: 'Fee',
    release: 'Given back: not paid',
    reverse: 'Returned by the operator',
    fee_return: 'Fee given back',
    fund_return: 'Funding taken back',
  },
  noReference: 'no reference',
  empty: 'Nothing has moved yet',
  emptyDetail:
    'Every amount that reaches or leaves this wallet is a line here, with the balances after it. The company that runs Kafue funds it.',
  nothing: 'Nothing moved in this period',
  nothingDetail: (from: string | undefined, to: string | undefined) =>
    [from === undefined ? '' : `from ${from}`, to === undefined ? '' : `to ${to}`]
      .filter((word) => word !== '')
      .join(' '),
  clear: 'Show all postings',
} as const;

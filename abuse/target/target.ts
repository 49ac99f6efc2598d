/** What the attackers know of the service: addresses, and the credentials of a merchant or an operator. */
export type Target = Readonly<{
  port: number;
  /** A merchant that attacks with its own key. Its book has a hundred transfers to list. */
  attackerKey: string;
  attackerWalletId: string;
  /** Of its book. No event is sent to it. */
  attackerWebhook: Readonly<{ id: string; url: string }>;
  callbackRoute: string;
  callbackToken: string;
}>;

/** What the measuring side has beyond that. */
export type Accounts = Readonly<{
  /** The well-behaved merchant. */
  merchantKey: string;
  merchantWalletId: string;
  /** Its live book, which has a route and no money. */
  liveKey: string;
  /** Reads the attackers' book, with its own limits. */
  auditKey: string;
}>;

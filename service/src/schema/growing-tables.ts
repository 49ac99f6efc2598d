/** The tables that every payout adds to. The statistics of each are renewed as it grows. */
export const GROWING_TABLES = [
  'transfers',
  'transfer_metadata',
  'postings',
  'events',
  'attempts',
  'callbacks',
  'deliveries',
  'delivery_attempts',
  'feed_batches',
] as const;

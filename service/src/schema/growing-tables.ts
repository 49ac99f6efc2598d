/** The tables that payouts and payout files add to. The statistics of each are renewed as it grows. */
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
  'payout_files',
  'payout_file_rows',
] as const;

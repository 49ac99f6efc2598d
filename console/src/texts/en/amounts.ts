/** What to write where an amount cannot be read. */
export const amounts = {
  twoWays: 'It can be read in two ways. Write a dot before the decimals, such as 1250.50.',
  decimals: 'At most 2 decimals. Write it like 1250.50.',
  figures: 'Write figures only, like 1250.50 or 1,250.50: from 0.01 to 1,000,000,000.00.',
  fee: 'Write figures only, like 0.75 or 1.50; 0 for none.',
} as const;

const AMOUNT = /^\d+(?:\.\d{1,2})?$/;

/** What a person typed as an amount, as decimal text; commas and spaces between thousands are left out. */
export function readAmount(text: string): string | undefined {
  const plain = text.replace(/[,\s]/g, '');
  return AMOUNT.test(plain) ? plain : undefined;
}

/** As readAmount, above zero. */
export function readPositive(text: string): string | undefined {
  const amount = readAmount(text);
  return amount === undefined || Number(amount) === 0 ? undefined : amount;
}

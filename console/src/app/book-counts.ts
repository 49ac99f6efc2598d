/** The key of the counts in the column: they are asked apart from what the open page shows. */
export function countsKeyOf(bookId: string): readonly unknown[] {
  return ['book counts', bookId];
}

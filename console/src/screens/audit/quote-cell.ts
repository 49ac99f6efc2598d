/** A cell that begins like a formula gets an apostrophe, so that a spreadsheet shows it and does not run it. */
export function quote(cell: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

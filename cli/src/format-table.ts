export type TableColumn = Readonly<{ title: string; align?: 'right' }>;

const GAP = '  ';
const INDENT = '  ';

/** Aligned columns for people: texts to the left, numbers to the right. */
export function formatTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [columns.map(({ title }) => title), ...rows];
  const widths = columns.map((_, index) =>
    lines.reduce((width, cells) => Math.max(width, cells[index]?.length ?? 0), 0),
  );
  return lines
    .map((cells) => {
      const padded = columns.map(({ align }, index) => {
        const [cell, width] = [cells[index] ?? '', widths[index] ?? 0];
        return align === 'right' ? cell.padStart(width) : cell.padEnd(width);
      });
      return INDENT + padded.join(GAP).trimEnd();
    })
    .join('\n');
}

/** `9800` is `9,800`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en');
}

/** `1 line`, `2 lines`. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

export type TableColumn = Readonly<{ title: string; align?: 'right' }>;

const GAP = '  ';

/** Aligned columns for people: texts to the left, numbers to the right. */
export function formatTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
): string {
  const widths = columns.map(({ title }, index) =>
    Math.max(lengthOf(title), ...rows.map((row) => lengthOf(row[index] ?? ''))),
  );
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ align }, index) => {
        const cell = cells[index] ?? '';
        const padding = ' '.repeat((widths[index] ?? 0) - lengthOf(cell));
        return align === 'right' ? padding + cell : cell + padding;
      })
      .join(GAP)
      .trimEnd();
  return [line(columns.map(({ title }) => title)), ...rows.map(line)].join('\n');
}

/** `name  value` lines for one thing. */
export function formatFields(fields: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields.map(([name, value]) => `  ${name.padEnd(width)}${GAP}${value}`).join('\n');
}

export function formatTime(time: Date | null): string {
  return time === null ? '-' : `${time.toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

// Code points, so that an emoji in a name does not push its line to the left.
function lengthOf(text: string): number {
  return Array.from(text).length;
}

import type { PolicyConditions } from '../../api/policy-types.ts';

type Metadata = NonNullable<PolicyConditions['metadata']>;

/** One line for each name: `team = payroll, refunds`. */
export function sayMetadataLines(metadata: Metadata): string {
  return Object.entries(metadata)
    .map(([key, value]) => `${key} = ${typeof value === 'string' ? value : value.join(', ')}`)
    .join('\n');
}

/** A line without a value is kept with an empty one; the service says what it does not take. */
export function readMetadata(text: string): Metadata {
  return Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [key = '', ...rest] = line.split('=');
        const values = rest
          .join('=')
          .split(',')
          .map((value) => value.trim());
        return [key.trim(), values.length === 1 ? (values[0] ?? '') : values];
      }),
  );
}

import { Type } from 'typebox';

type TextOptions = Readonly<{ description: string; format?: string; examples?: readonly string[] }>;

/** A string or null as one type list, which serialises faster than a union of two schemas. */
export function nullableText(options: TextOptions) {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], ...options });
}

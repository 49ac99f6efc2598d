import * as fc from 'fast-check';

/** Short and long code points alike, without halves of surrogate pairs. */
const CODE_POINT = fc.oneof(
  fc.integer({ min: 0, max: 0x7f }),
  fc.integer({ min: 0x80, max: 0xd7ff }),
  fc.integer({ min: 0xe000, max: 0x10_ffff }),
);

/** Text of any characters. The library's own begins with a table of all of them, which takes two seconds. */
export function anyText(lengths: Readonly<{ maxLength?: number }> = {}): fc.Arbitrary<string> {
  return fc.array(CODE_POINT, lengths).map((points) => String.fromCodePoint(...points));
}

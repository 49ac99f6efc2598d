const FNV_OFFSET = 0x81_1c_9d_c5;
const FNV_PRIME = 0x01_00_01_93;
/** The start of a second hash, because 32 bits alone collide by chance within 100,000 schedules. */
const OTHER_OFFSET = 0x9e_37_79_b9;
const OTHER_PRIME = 0x85_eb_ca_6b;
const HEX = 16;
const HEX_DIGITS = 8;

export type TraceLine = Readonly<{ atMs: number; subject: string; text: string }>;

/** The events of a schedule in order. The digest is always kept, the lines only on request. */
export type Trace = Readonly<{
  /** `subject` is a transfer's id, a process or an operator. */
  note(subject: string, text: string): void;
  digest(): string;
  lines(): readonly TraceLine[];
}>;

export function createTrace(options: Readonly<{ nowMs: () => number; keepLines: boolean }>): Trace {
  const lines: TraceLine[] = [];
  let one = FNV_OFFSET;
  let other = OTHER_OFFSET;

  function mix(code: number): void {
    one = Math.imul(one ^ code, FNV_PRIME);
    other = Math.imul(other ^ code, OTHER_PRIME) ^ (other >>> 15);
  }

  function mixText(text: string): void {
    for (let index = 0; index < text.length; index += 1) mix(text.charCodeAt(index));
  }

  return {
    note(subject, text) {
      const atMs = options.nowMs();
      mix(atMs | 0);
      mixText(subject);
      mixText(text);
      if (options.keepLines) lines.push({ atMs, subject, text });
    },
    digest: () => [one, other].map(toHex).join(''),
    lines: () => lines,
  };
}

function toHex(word: number): string {
  return (word >>> 0).toString(HEX).padStart(HEX_DIGITS, '0');
}

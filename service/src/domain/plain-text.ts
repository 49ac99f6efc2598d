type PlainTextVerdict = 'ok' | 'TOO_LONG' | 'INVALID_TEXT';

/**
 * Checks text that people write and read: a narration, a name. Characters are Unicode code points. Empty text is valid;
 * the field decides whether it may be empty. Text that is both too long and invalid is TOO_LONG.
 */
export function checkPlainText(
  text: string,
  limits: Readonly<{ codePointsMax: number }>,
): PlainTextVerdict {
  let codePoints = 0;
  let invalid = false;
  for (let index = 0; index < text.length; index += 1) {
    codePoints += 1;
    if (codePoints > limits.codePointsMax) return 'TOO_LONG';
    const unit = text.charCodeAt(index);
    if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(index + 1))) index += 1;
    else if (isForbidden(unit)) invalid = true;
  }
  return invalid ? 'INVALID_TEXT' : 'ok';
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/**
 * All forbidden characters are single code units, and a surrogate that gets here has no partner.
 *
 * Embeddings, overrides and isolates are refused because they reorder the text after them, so a statement could show
 * another name or amount than the one stored. The marks U+200E, U+200F and U+061C stay allowed: they only place
 * neighbouring punctuation, cannot reorder letters, and Arabic and Hebrew keyboards insert them. Joiners (U+200D) stay
 * allowed because emoji need them.
 */
function isForbidden(unit: number): boolean {
  if (unit < 0x20) return true;
  if (unit < 0x7f) return false;
  if (unit <= 0x9f) return true;
  if (unit < 0x2028) return false;
  const isLineOrParagraphSeparator = unit <= 0x2029;
  const isEmbeddingOrOverride = unit >= 0x202a && unit <= 0x202e;
  const isIsolate = unit >= 0x2066 && unit <= 0x2069;
  const isLoneSurrogate = unit >= 0xd800 && unit <= 0xdfff;
  return isLineOrParagraphSeparator || isEmbeddingOrOverride || isIsolate || isLoneSurrogate;
}

import type { Act } from '../../api/staff-types.ts';
import { usePreferences } from '../../app/preferences.ts';
import { formatAmount } from '../../format/format-amount.ts';
import { shortenId } from '../../format/format-id.ts';
import { formatTime } from '../../format/format-time.ts';
import { audit as texts } from '../../texts/en/audit.ts';

const TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const HASH = /^[0-9a-f]{64}$/;
const DECIMAL = /^-?\d+\.\d{2}$/;

/** What was before and is after, fact by fact, and the reason in the person's words. */
export function Changes({ act: { before, after, reason } }: Readonly<{ act: Act }>) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    // A field that is empty before and after is left out.
    (name) => textOf(before?.[name]) !== '' || textOf(after?.[name]) !== '',
  );
  return (
    <div className="act-facts">
      {names.length > 0 && (
        <ul>
          {names.map((name) => (
            <Change
              key={name}
              name={name}
              before={before?.[name]}
              // What is known of before alone has not changed, unless the whole thing is gone.
              after={after === null || name in after ? after?.[name] : before?.[name]}
            />
          ))}
        </ul>
      )}
      {reason !== null && <p className="quote">“{reason}”</p>}
      {names.length === 0 && reason === null && <span className="faint">{texts.nothing}</span>}
    </div>
  );
}

function Change({
  name,
  before,
  after,
}: Readonly<{ name: string; before: unknown; after: unknown }>) {
  const { timeZone } = usePreferences();
  const isSame = before !== undefined && textOf(before) === textOf(after);
  return (
    <li>
      <span className="faint">{nameFact(name)}</span>{' '}
      {before !== undefined && !isSame && (
        <>
          <del>{showFact(before, timeZone) || texts.none}</del>{' '}
        </>
      )}
      {after !== undefined &&
        (before === undefined || isSame ? (
          showFact(after, timeZone)
        ) : (
          <ins>{showFact(after, timeZone) || texts.none}</ins>
        ))}
    </li>
  );
}

/** `feeFixed` is read as "fee fixed". */
function nameFact(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

/** As people read it: times in the reader's zone, amounts in groups, hashes by their ends. */
function showFact(fact: unknown, timeZone: string): string {
  const text = textOf(fact);
  if (TIME.test(text)) return formatTime(new Date(text), { now: new Date(), timeZone });
  if (HASH.test(text)) return shortenId(text);
  return DECIMAL.test(text) ? formatAmount(text) : text;
}

/** Empty: it is not set. */
function textOf(fact: unknown): string {
  if (fact === null || fact === undefined) return '';
  if (Array.isArray(fact)) return fact.join(', ');
  return typeof fact === 'string' ? fact : JSON.stringify(fact);
}

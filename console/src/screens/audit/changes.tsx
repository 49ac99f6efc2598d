import type { Act } from '../../api/staff-types.ts';
import { audit as texts } from '../../texts/en/audit.ts';

/** What was before and is after, fact by fact, and the reason in the person's words. */
export function Changes({ act: { before, after, reason } }: Readonly<{ act: Act }>) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    // What was not set and is not set says nothing.
    (name) => showFact(before?.[name]) !== '' || showFact(after?.[name]) !== '',
  );
  return (
    <div className="act-facts">
      {names.length > 0 && (
        <ul>
          {names.map((name) => (
            <Change key={name} name={name} before={before?.[name]} after={after?.[name]} />
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
  const isSame = before !== undefined && showFact(before) === showFact(after);
  return (
    <li>
      <span className="faint">{nameFact(name)}</span>{' '}
      {before !== undefined && !isSame && (
        <>
          <del>{showFact(before) || texts.none}</del>{' '}
        </>
      )}
      {after !== undefined &&
        (before === undefined || isSame ? (
          showFact(after)
        ) : (
          <ins>{showFact(after) || texts.none}</ins>
        ))}
    </li>
  );
}

/** `feeFixed` is read as "fee fixed". */
function nameFact(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

/** Empty: it is not set. */
function showFact(fact: unknown): string {
  if (fact === null || fact === undefined) return '';
  if (Array.isArray(fact)) return fact.join(', ');
  return typeof fact === 'string' ? fact : JSON.stringify(fact);
}

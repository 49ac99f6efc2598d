type Given = Readonly<{
  /** Of the whole, from 0 to 1. */
  used: number;
  /** What is about to be used besides. */
  then?: number;
  /** What it shows in words, where no text beside it says so. */
  label?: string;
}>;

/** How much of a limit is used; the lighter part is what would be used next. */
export function Meter({ used, then = 0, label }: Given) {
  const first = Math.max(0, Math.min(1, used)) * 100;
  const second = Math.max(0, Math.min(100 - first, then * 100));
  const isOver = used + then > 1;
  return (
    <svg
      className="meter"
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <rect width={first} height="6" />
      <rect className={isOver ? 'warn' : 'then'} x={first} width={second} height="6" />
    </svg>
  );
}

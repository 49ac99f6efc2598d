import { useEffect, useState } from 'react';
import { shell } from '../texts/en/shell.ts';

/** Nothing is shown before this: most answers come sooner, and a flash disturbs. */
const SHOW_AFTER_MS = 150;

/** Grey bars in the shape of rows. */
export function LoadingRows({ rows = 4 }: Readonly<{ rows?: number }>) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={isShown ? 'skeleton' : 'skeleton skeleton-wait'} role="status">
      <span className="visually-hidden">{shell.loading}</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} aria-hidden="true">
          <i className="w3" />
          <i className="w2" />
          <i className="w1" />
        </div>
      ))}
    </div>
  );
}

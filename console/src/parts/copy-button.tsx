import { useEffect, useState } from 'react';
import { shell } from '../texts/en/shell.ts';
import { announce } from './announce.tsx';
import { Icon } from './icon.tsx';

const SHOWN_MS = 1_500;

/** Copies a text. `what` says which one to screen readers. */
export function CopyButton({ text, what }: Readonly<{ text: string; what: string }>) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    announce(shell.copied, 'assertive');
  };
  return (
    <button
      className="copy"
      type="button"
      aria-label={shell.copy(what)}
      title={copied ? shell.copied : shell.copy(what)}
      onClick={() => void copy()}
    >
      <Icon name={copied ? 'check' : 'copy'} />
    </button>
  );
}

/** Text as it was sent or stored. It scrolls inside its box, so the keyboard must reach it. */
export function Raw({ label, text }: Readonly<{ label: string; text: string }>) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className="raw" tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  );
}

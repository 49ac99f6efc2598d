const GROUP_LENGTH = 8;

/** Groups of eight, the first and the last strong, so that two people can compare it by voice. */
export function ContentHash({ hash }: Readonly<{ hash: string }>) {
  const groups = hash.match(new RegExp(`.{1,${GROUP_LENGTH}}`, 'g')) ?? [];
  return (
    <code className="hash">
      {groups.map((group, index) => (
        <span key={index}>
          {index === 0 || index === groups.length - 1 ? <b>{group}</b> : group}
        </span>
      ))}
    </code>
  );
}

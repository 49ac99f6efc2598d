import { account } from '../texts/en/account.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';

/** Ten codes, shown this once. */
export function RecoveryCodes({
  codes,
  onKept,
}: Readonly<{ codes: readonly string[]; onKept: () => void }>) {
  const text = `${codes.join('\n')}\n`;
  const download = () => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = 'kafue-recovery-codes.txt';
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <div className="form">
      <p className="soft">{account.codesHelp}</p>
      <ol className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="actions actions-end">
        <span className="actions">
          <CopyButton text={text} what={account.recovery} />
          <Button kind="plain" icon="export" onClick={download}>
            {account.download}
          </Button>
        </span>
        <Button kind="main" onClick={onKept}>
          {account.kept}
        </Button>
      </div>
    </div>
  );
}

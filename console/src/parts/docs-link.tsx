import { shell } from '../texts/en/shell.ts';

/** To the reference of the API, which the service serves beside the console. */
export function DocsLink() {
  return (
    <a className="btn" href="/docs" target="_blank" rel="noreferrer">
      {shell.reference}
    </a>
  );
}

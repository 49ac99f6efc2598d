import {
  BOOK_PERMISSIONS,
  MERCHANT_PERMISSIONS,
  STAFF_PERMISSIONS,
} from '../../../service/src/domain/roles.ts';
import { codePanel, ORIGIN } from './code-panel.ts';
import { type Html, html, inline, type Section, table } from './html.ts';

const SIGN_IN = `curl ${ORIGIN}/api/v1/session \\
  -c cookies.txt \\
  -H "content-type: application/json" \\
  -d '{
  "email": "owner@demo.test",
  "password": "'$KAFUE_PASSWORD'",
  "code": "'$KAFUE_CODE'"
}'`;

const READ_BOOK = `curl ${ORIGIN}/api/v1/payments/overview \\
  -b cookies.txt \\
  -H "x-book: $BOOK_ID"`;

const STEP_UP = `curl ${ORIGIN}/api/v1/session/step-up \\
  -b cookies.txt \\
  -H "content-type: application/json" \\
  -d '{"code": "'$KAFUE_CODE'"}'`;

/** How people call the API, and what their roles allow: for the page about it. */
export function peopleIntroduction(): readonly Section[] {
  return [signingIn(), roles()];
}

function signingIn(): Section {
  return {
    id: 'signing-in',
    title: 'Signing in',
    content: html`<ol class="steps">
<li><strong>Sign in.</strong> ${inline(
      'The answer sets a cookie and lists your merchants, books and roles. A session ends after 30 minutes without ' +
        'use, and after 12 hours in all. Demo people are in `data/demo.json`.',
    )}</li>
<li><strong>Name the book</strong> ${inline(
      'in `x-book` for every call below `/api/v1/payments`. Every call that a key can make works so, with the same ' +
        'answers. A key and a cookie together are refused.',
    )}</li>
<li><strong>Show your second factor again</strong> ${inline(
      'where a call answers 403 `STEP_UP_REQUIRED`. It counts for 5 minutes; then send the same call again.',
    )}</li>
</ol>
<p>${inline(
      'Requests of browsers that change anything must come from a page of this service, else they get 403. What you ' +
        'may not see does not exist: 404. What you see and may not do is 403 `FORBIDDEN`.',
    )}</p>`,
    code: html`${codePanel('1. Sign in', 'shell', SIGN_IN)}
${codePanel('2. Read a book', 'shell', READ_BOOK)}
${codePanel('3. Show the second factor again', 'shell', STEP_UP)}`,
  };
}

function roles(): Section {
  const inBook = Object.entries(BOOK_PERMISSIONS).map(([name, { live }]) => [name, live] as const);
  return {
    id: 'roles',
    title: 'Roles',
    content: html`<p>${inline(
      'Roles add up, and may be limited to one book. In a test book a `developer` may do all that happens in a book.',
    )}</p>
<h3>In a book</h3>${rolesTable('Roles in a book', inBook)}
<h3>In a merchant as a whole</h3>${rolesTable('Roles in a merchant', Object.entries(MERCHANT_PERMISSIONS))}
<h3>Of the staff</h3>${rolesTable('Roles of the staff', Object.entries(STAFF_PERMISSIONS))}`,
  };
}

function rolesTable(
  caption: string,
  permissions: readonly (readonly [string, readonly string[]])[],
): Html {
  const rows = permissions.map(([permission, allowed]) => [
    html`<code>${permission}</code>`,
    html`${allowed.join(', ')}`,
  ]);
  return table({ caption, columns: ['Permission', 'Roles'], rows });
}

export function buildDocsPage(_openApi: object) { return { html: '', contentSecurityPolicy: '' }; }

import type { WebhookWithSecret } from '../../api/developer-types.ts';
import { usePreferences } from '../../app/preferences.ts';
import { formatTime } from '../../format/format-time.ts';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { webhooks as texts } from '../../texts/en/webhooks.ts';

type Given = Readonly<{ webhook: WebhookWithSecret; onKept: () => void }>;

export function EndpointSecret({ webhook, onKept }: Given) {
  const { timeZone } = usePreferences();
  const until = webhook.previousSecretUntil;
  return (
    <SecretOnce
      title={until === undefined ? texts.secret.madeTitle : texts.secret.rotatedTitle}
      what={texts.secret.what}
      secret={webhook.secret}
      onKept={onKept}
    >
      <p className="soft">{texts.secret.use}</p>
      {until !== undefined && (
        <p className="soft">
          {texts.secret.until(formatTime(new Date(until), { now: new Date(), timeZone }))}
        </p>
      )}
    </SecretOnce>
  );
}

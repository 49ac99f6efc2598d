import { useState } from 'react';
import {
  changePreferences,
  type Density,
  type Theme,
  usePreferences,
} from '../../app/preferences.ts';
import { isTimeZone } from '../../format/format-time.ts';
import { toast } from '../../parts/announce.tsx';
import { Card } from '../../parts/card.tsx';
import { sayError } from '../../parts/failure.tsx';
import { CheckField, ComboField, SegmentField } from '../../parts/field.tsx';
import { account } from '../../texts/en/account.ts';

const THEMES = Object.entries(account.themes).map(([value, label]) => ({ value, label }));
const DENSITIES = Object.entries(account.densities).map(([value, label]) => ({ value, label }));
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];

export function DisplayCard() {
  const preferences = usePreferences();
  const [zone, setZone] = useState(preferences.timeZone);
  const change = async (next: Parameters<typeof changePreferences>[0]) => {
    try {
      await changePreferences(next);
    } catch (error) {
      toast(sayError(error), 'bad');
    }
  };
  return (
    <Card title={account.display} isPadded>
      <div className="form">
        <SegmentField
          label={account.theme}
          value={preferences.theme}
          options={THEMES}
          onChange={(theme) => void change({ theme: theme as Theme })}
        />
        <SegmentField
          label={account.density}
          value={preferences.density}
          options={DENSITIES}
          onChange={(density) => void change({ density: density as Density })}
        />
        <ComboField
          label={account.zone}
          help={account.zoneHelp}
          problem={isTimeZone(zone) ? undefined : account.zoneUnknown}
          options={ZONES}
          value={zone}
          onChange={(text) => {
            setZone(text);
            if (ZONES.includes(text)) void change({ timeZone: text });
          }}
        />
        <CheckField
          label={account.singleKeysOn}
          isChecked={preferences.singleKeys}
          onChange={(singleKeys) => void change({ singleKeys })}
        />
      </div>
    </Card>
  );
}

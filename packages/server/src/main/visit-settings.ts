import { defaultVisitLimits, type VisitLimits } from '@proofmark/domain';
import { count, quota, type Setting, setting } from './setting.ts';
import { variable } from './spending-settings.ts';

export const visitSettingRows = {
  visitorRedeemsPerMinute: limit('visitorRedeemsPerMinute'),
  visitorIdentitiesPerHour: limit('visitorIdentitiesPerHour'),
  linkIdentitiesPerHour: limit('linkIdentitiesPerHour'),
  visitorTurnsPerMinute: limit('visitorTurnsPerMinute'),
  scenarioTurnsPerMinute: limit('scenarioTurnsPerMinute'),
  guestTurnsAtOnce: limit('guestTurnsAtOnce'),
  scenarioTurnsAtOnce: limit('scenarioTurnsAtOnce'),
  visitorRetentionDays: setting({
    environment: [variable('visitorRetentionDays')],
    config: 'visitorRetentionDays',
    parse: count(1, 3650),
    fallback: defaultVisitLimits.visitorRetentionDays,
  }),
};

export function visitLimitsOf(settings: VisitLimits): VisitLimits {
  const names = Object.keys(visitSettingRows) as (keyof VisitLimits)[];
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as unknown as VisitLimits;
}

function limit(name: Exclude<keyof VisitLimits, 'visitorRetentionDays'>): Setting<number | null> {
  const fallback = defaultVisitLimits[name];
  return { environment: [variable(name)], config: name, parse: quota, fallback };
}

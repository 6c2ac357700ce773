import { nextStartsOf, type SuiteSchedule } from '@proofmark/domain';

type Timing = Pick<SuiteSchedule, 'intervalMinutes' | 'calendar'>;

/** The next three starts in the zone of the reader; nothing while the times are not valid. */
export function SchedulePreview(props: Timing & { saved: Timing & { nextRunAt: number | null } }) {
  const { intervalMinutes, calendar, saved } = props;
  const isSaved = saved.intervalMinutes === intervalMinutes;
  const starts = nextStartsOf(
    { intervalMinutes, calendar },
    { nowMs: Date.now(), nextMs: isSaved ? saved.nextRunAt : null, most: 3 },
  );
  if (starts.length === 0) return null;
  return (
    <div className="schedule-preview" role="status">
      <p className="hint">{`The next starts, in your time zone (${zoneOfReader()}):`}</p>
      <ol>
        {starts.map((atMs) => (
          <li key={atMs}>
            <time dateTime={new Date(atMs).toISOString()}>{format.format(atMs)}</time>
          </li>
        ))}
      </ol>
    </div>
  );
}

const format = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

function zoneOfReader(): string {
  return format.resolvedOptions().timeZone;
}

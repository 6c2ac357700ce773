/**
 * The instants of local times in an IANA zone. A local time belongs to the first instant at which
 * the clocks of the zone show it or a later time. So a time that a zone skips is the first instant
 * after the gap, and a time that exists twice is the first of the two.
 *
 * A local time is a number of milliseconds as well: the instant at which UTC shows that time.
 */
export function isTimeZone(name: string): boolean {
  // Offsets such as +02:00, which newer versions of Node accept, are no names of zones.
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

export function localMsAt(instantMs: number, timeZone: string): number {
  const field: Record<string, number> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(instantMs)) {
    field[type] = Number(value);
  }
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = field;
  const belowSecond = ((instantMs % 1000) + 1000) % 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second) + belowSecond;
}

export function instantOfLocal(localMs: number, timeZone: string): number {
  const offsets = [localMs - dayMs, localMs + dayMs].map((at) => localMsAt(at, timeZone) - at);
  const [latest, earliest] = [Math.min(...offsets), Math.max(...offsets)].map(
    (offset) => localMs - offset,
  ) as [number, number];
  for (const instantMs of [earliest, latest]) {
    if (localMsAt(instantMs, timeZone) === localMs) return instantMs;
  }
  return endOfGap(localMs, timeZone, earliest, latest);
}

/** The clocks show an earlier time at `before`, and a later one at `after`. */
function endOfGap(localMs: number, timeZone: string, before: number, after: number): number {
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (localMsAt(middle, timeZone) >= localMs) high = middle;
    else low = middle;
  }
  return high;
}

/** No zone differs from UTC by a day, or changes its offset twice in two days. */
export const dayMs = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const numeric = 'numeric';
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  formats.set(timeZone, format);
  return format;
}

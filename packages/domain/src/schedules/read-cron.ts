/**
 * Reads a cron expression of five fields: minute, hour, day of the month, month, day of the week. A
 * field is a list of `*`, numbers, ranges, and both with a step (every n-th); months and days of the
 * week have names, too. Sunday is 0 and 7. Extensions of other programs (seconds, `L`, `W`, `#`,
 * `?`, `@daily`) are refused, since a reader cannot know whose meaning applies.
 */
export interface CronFields {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: readonly number[];
  readonly months: readonly number[];
  /** 0 is Sunday. */
  readonly weekdays: readonly number[];
  /**
   * Whether one of the two fields of days suffices. Cron demands both only if one of them begins
   * with `*`.
   */
  readonly eitherDay: boolean;
}

export function readCron(expression: string): { fields: CronFields } | { problem: string } {
  const texts = expression.trim().split(/\s+/);
  if (texts.length !== parts.length || texts[0] === '') {
    const found = texts[0] === '' ? 0 : texts.length;
    return {
      problem: `A cron expression has five fields (minute, hour, day of the month, month, day of the week), and this has ${found}.`,
    };
  }
  const read = parts.map((part, index) => readField(texts[index] ?? '', part));
  for (const one of read) if ('problem' in one) return one;
  const [minutes = [], hours = [], days = [], months = [], weekdays = []] = read.map((one) =>
    'values' in one ? one.values : [],
  );
  const isOpen = (index: number) => texts[index]?.startsWith('*') === true;
  const eitherDay = !isOpen(2) && !isOpen(4);
  return {
    fields: {
      minutes,
      hours,
      days,
      months,
      weekdays: sorted(weekdays.map((day) => day % 7)),
      eitherDay,
    },
  };
}

interface Part {
  readonly word: string;
  readonly from: number;
  readonly to: number;
  /** The names of the first values, in their order. */
  readonly names?: readonly string[];
}

export const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

const parts: readonly Part[] = [
  { word: 'minute', from: 0, to: 59 },
  { word: 'hour', from: 0, to: 23 },
  { word: 'day of the month', from: 1, to: 31 },
  { word: 'month', from: 1, to: 12, names: monthNames },
  { word: 'day of the week', from: 0, to: 7, names: weekdayNames },
];

type Read<Value> = Value | { readonly problem: string };

function readField(text: string, part: Part): Read<{ readonly values: readonly number[] }> {
  const values: number[] = [];
  for (const item of text.split(',')) {
    const read = readItem(item, part);
    if ('problem' in read) return read;
    for (let value = read.first; value <= read.last; value += read.step) values.push(value);
  }
  return { values: sorted(values) };
}

interface Item {
  readonly first: number;
  readonly last: number;
  readonly step: number;
}

function readItem(item: string, part: Part): Read<Item> {
  const [span = '', stepText, ...more] = item.split('/');
  const step = stepText === undefined ? 1 : stepOf(stepText, part);
  if (step === undefined || more.length > 0) {
    const most = part.to - part.from;
    return {
      problem: `The ${part.word} "${item}" has no valid step; write a whole number from 1 to ${most} after one slash.`,
    };
  }
  if (span === '*') return { first: part.from, last: part.to, step };
  const [firstText = '', lastText, ...others] = span.split('-');
  const first = numberAt(firstText, part);
  const last = lastText === undefined ? first : lastOf(lastText, first, part);
  if (first === undefined || last === undefined || others.length > 0) return unreadable(item, part);
  if (last < first) {
    return {
      problem: `The ${part.word} "${item}" runs backwards; write two ranges, with a comma between them.`,
    };
  }
  if (stepText !== undefined && lastText === undefined) {
    return {
      problem: `The ${part.word} "${item}" has a step without a range; write ${firstText}-${part.to}/${stepText}.`,
    };
  }
  return { first, last, step };
}

function unreadable(item: string, { word, from, to, names }: Part): { readonly problem: string } {
  const named = names === undefined ? '' : ` or a name from ${names[0]} to ${names.at(-1)}`;
  return {
    problem: `The ${word} "${item}" is not *, a number from ${from} to ${to}${named}, a range such as ${from}-${from + 1}, or a list of them.`,
  };
}

function stepOf(text: string, { from, to }: Part): number | undefined {
  const step = numberOf(text);
  return step === undefined || step < 1 || step > to - from ? undefined : step;
}

function numberAt(text: string, { from, to, names }: Part): number | undefined {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return from + named;
  const value = numberOf(text);
  return value === undefined || value < from || value > to ? undefined : value;
}

/** At the end of a range, Sunday is the last day of the week. */
function lastOf(text: string, first: number | undefined, part: Part): number | undefined {
  const last = numberAt(text, part);
  const isSunday = part === parts[4] && text.toLowerCase() === 'sun';
  return isSunday && first !== undefined && first > 0 ? 7 : last;
}

function numberOf(text: string): number | undefined {
  return /^\d{1,2}$/.test(text) ? Number(text) : undefined;
}

function sorted(values: readonly number[]): readonly number[] {
  return [...new Set(values)].sort((one, other) => one - other);
}

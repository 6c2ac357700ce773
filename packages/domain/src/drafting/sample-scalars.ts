/**
 * Returns numbers and texts within the bounds of a schema, the plainest first. Numbers are integers
 * if the schema allows them.
 */
import type { Json } from '../kernel/json.ts';
import { readSimplePattern } from '../schemas/read-simple-pattern.ts';
import { writeSimple } from '../schemas/simple-pattern.ts';

export function sampleNumbers(form: Json): number[] {
  const { minimum, maximum, multipleOf } = form;
  const [above, below] = [form['exclusiveMinimum'], form['exclusiveMaximum']];
  const least = [minimum, above].filter((one) => typeof one === 'number');
  const most = [maximum, below].filter((one) => typeof one === 'number');
  const low = least.length === 0 ? undefined : Math.max(...least);
  const high = most.length === 0 ? undefined : Math.min(...most);
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : 1;
  const near = (bound: number) => {
    const times = Math.round(bound / step);
    return [0, 1, -1, 2, -2].map((more) => rounded((times + more) * step));
  };
  const bounds = [low, high].filter((one) => one !== undefined);
  const between = low !== undefined && high !== undefined ? [(low + high) / 2] : [];
  return [
    ...new Set([
      ...[1, 2, 3].map((times) => rounded(times * Math.max(step, 1))),
      ...[step, ...(low === undefined ? [] : near(low)), ...(high === undefined ? [] : near(high))],
      ...[...bounds, ...between, 0, 4, 5],
    ]),
  ].filter((one) => Number.isFinite(one));
}

/** Removes rounding errors of binary fractions, so that 3 × 0.1 gives 0.3. */
function rounded(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(12));
}

export function sampleTexts(form: Json): string[] {
  const { format, pattern } = form;
  const isPlain = format === undefined || plainFormats.has(String(format));
  const ofFormat = isPlain ? [] : [samplesOfFormats[String(format)] ?? []].flat();
  if (!isPlain) return ofFormat;
  const plain = sizedTexts(form);
  return typeof pattern === 'string' ? [...plain, ...textsOfPattern(pattern)] : plain;
}

function sizedTexts(form: Json): string[] {
  const { minLength, maxLength } = form;
  const least = typeof minLength === 'number' ? minLength : 0;
  const most = typeof maxLength === 'number' ? maxLength : longestText;
  if (least > longestText || least > most) return [];
  return ['sample', 'sample 2', 'sample 3', 'sample 4', 'sample 5'].map((text) =>
    text.padEnd(least, ' sample').slice(0, most),
  );
}

function textsOfPattern(source: string): string[] {
  const pattern = readSimplePattern(source);
  if (pattern === undefined) return [];
  return [0, 1, 2, 4, 8, 16, 32, 64].flatMap((more) => writeSimple(pattern, more) ?? []);
}

const longestText = 500;

const plainFormats = new Set([
  ...['binary', 'html', 'markdown', 'multiline', 'password', 'string', 'text', 'textarea'],
]);

const samplesOfFormats: Readonly<Record<string, string | readonly string[]>> = {
  base64: 'c2FtcGxl',
  byte: 'c2FtcGxl',
  date: ['2026-01-15', '2026-01-16'],
  'date-time': ['2026-01-15T12:00:00Z', '2026-01-16T12:00:00Z'],
  duration: 'P1D',
  email: ['sample@example.com', 'sample2@example.com'],
  hostname: 'example.com',
  'idn-email': 'sample@example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  iri: 'https://example.com/sample',
  'iri-reference': '/sample',
  'json-pointer': '/sample',
  regex: 'sample',
  'relative-json-pointer': '0/sample',
  time: '12:00:00Z',
  uri: ['https://example.com/sample', 'https://example.com/sample2'],
  'uri-reference': '/sample',
  'uri-template': 'https://example.com/{sample}',
  url: ['https://example.com/sample', 'https://example.com/sample2'],
  uuid: ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'],
};

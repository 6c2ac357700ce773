/**
 * The value of a tool's answer: its structured content, or else its text if that is one block of
 * JSON. A server creates both from the same data, so a mutation changes both.
 */

import { pointerPart } from '../assertions/json-pointer.ts';
import { isRecord, type Json } from '../kernel/json.ts';
import { isMark } from '../recordings/redaction-marks.ts';

export type AnswerValue = { readonly value: unknown } | undefined;

export function valueOfAnswer(result: Json): AnswerValue {
  const { structuredContent } = result;
  if (structuredContent !== undefined) return { value: structuredContent };
  const [text, ...others] = textsOf(result);
  return text === undefined || others.length > 0 ? undefined : readJson(text);
}

export function textsOf({ content }: Json): string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) =>
    isRecord(block) && block['type'] === 'text' && typeof block['text'] === 'string'
      ? [block['text']]
      : [],
  );
}

export function changeAnswer(
  result: Json,
  change: { text(text: string): string; structured(value: unknown): unknown },
): Json {
  const { content, structuredContent } = result;
  return {
    ...result,
    ...(Array.isArray(content) && {
      content: content.map((block) =>
        isRecord(block) && block['type'] === 'text' && typeof block['text'] === 'string'
          ? { ...block, text: change.text(block['text']) }
          : block,
      ),
    }),
    ...(structuredContent !== undefined && {
      structuredContent: change.structured(structuredContent),
    }),
  };
}

/** Parses only objects and lists; a text that happens to be a number stays a text. */
export function readJson(text: string): AnswerValue {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { value } : undefined;
  } catch {
    return undefined;
  }
}

export interface PlacedValue {
  readonly path: string;
  readonly value: unknown;
  /** Whether the part is a field of an object (not an item of a list). */
  readonly isField: boolean;
}

const deepestPlace = 8;
const itemsOfList = 3;
const mostPlaces = 200;

/**
 * Returns all parts of a value, outer parts first. Of a list, only the first items are included.
 */
export function placesIn(whole: unknown): PlacedValue[] {
  const places: PlacedValue[] = [];
  const walk = (value: unknown, path: string, depth: number) => {
    if (depth >= deepestPlace || places.length >= mostPlaces) return;
    const parts: [string | number, unknown][] = Array.isArray(value)
      ? value.slice(0, itemsOfList).map((item, index) => [index, item])
      : isRecord(value) && !isMark(value)
        ? Object.entries(value)
        : [];
    const isField = !Array.isArray(value);
    const inner = parts.map(([name, part]) => ({ part, at: `${path}/${pointerPart(name)}` }));
    for (const { part, at } of inner) places.push({ path: at, value: part, isField });
    for (const { part, at } of inner) walk(part, at, depth + 1);
  };
  walk(whole, '', 0);
  return places.slice(0, mostPlaces);
}

/** If the value has nothing at `path`, the value itself is returned. */
export function withPart(
  whole: unknown,
  path: string,
  change: (part: unknown) => { readonly value: unknown } | 'gone',
): unknown {
  const [, first, ...rest] = path.split('/');
  if (first === undefined) {
    const result = change(whole);
    return result === 'gone' ? undefined : result.value;
  }
  const name = first.replaceAll('~1', '/').replaceAll('~0', '~');
  const below = rest.length === 0 ? '' : `/${rest.join('/')}`;
  if (Array.isArray(whole)) {
    const index = Number(name);
    if (!(index in whole)) return whole;
    return whole.map((item, at) => (at === index ? withPart(item, below, change) : item));
  }
  if (!isRecord(whole) || !Object.hasOwn(whole, name)) return whole;
  if (below !== '') return { ...whole, [name]: withPart(whole[name], below, change) };
  const result = change(whole[name]);
  const { [name]: _gone, ...others } = whole;
  return result === 'gone' ? others : { ...whole, [name]: result.value };
}

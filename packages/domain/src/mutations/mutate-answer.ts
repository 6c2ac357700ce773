/**
 * Changes the answer of a tool as a mutant requires. The real call is made and has its effect. An
 * error answer stays unchanged, and so does an answer that contains nothing to change.
 */
import { canonicalJson } from '../kernel/canonical-json.ts';
import { isRecord, type Json } from '../kernel/json.ts';
import { firstDifference } from '../recordings/first-difference.ts';
import { describeRedactionMarks } from '../recordings/redaction-marks.ts';
import {
  changeAnswer,
  placesIn,
  readJson,
  textsOf,
  valueOfAnswer,
  withPart,
} from './answer-value.ts';
import type { Mutant } from './mutant.ts';
import { refusedCall } from './mutate-listing.ts';

/**
 * The changed answer. `late`: the answer comes after the call's time limit. `same`: nothing
 * changes.
 */
export type MutatedAnswer = { readonly result: Json } | 'late' | 'same';

/** `previous` is an earlier answer of the tool in the conversation. */
export function mutateAnswer(mutant: Mutant, result: Json, previous?: Json): MutatedAnswer {
  if (result['isError'] === true) return 'same';
  if (mutant.operator === 'slow') return 'late';
  const other = otherAnswer(mutant, result, previous);
  return other === undefined || isSameJson(other, result) ? 'same' : { result: other };
}

export function isSameJson(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function otherAnswer(mutant: Mutant, result: Json, previous: Json | undefined): Json | undefined {
  const { operator, path } = mutant;
  switch (operator) {
    case 'error':
      return refusedCall('Something went wrong.');
    case 'empty':
      return changeAnswer(result, { text: emptyText, structured: () => ({}) });
    case 'truncated':
      return changeAnswer(result, { text: firstHalf, structured: halfOf });
    case 'previous-answer':
      return earlierAnswer([previous, ...(mutant.earlierAnswers ?? [])], result);
    case 'number-off-by-one':
      return path === undefined ? nextInText(result) : atPart(result, path, nextNumber);
    case 'field-missing':
      return path === undefined ? undefined : atPart(result, path, () => 'gone');
    case 'wrong-type':
      return path === undefined
        ? undefined
        : atPart(result, path, (part) => ({ value: otherType(part) }));
    default:
      return undefined;
  }
}

function earlierAnswer(earlier: readonly (Json | undefined)[], result: Json): Json | undefined {
  const found = earlier.find(
    (one) => one !== undefined && firstDifference(one, result) !== undefined,
  );
  return found && (describeRedactionMarks(found) as Json);
}

type Change = Parameters<typeof withPart>[2];

/**
 * Changes one part in the structured content and in texts that are JSON. A number is also changed
 * in any other text that contains it.
 */
function atPart(result: Json, path: string, change: Change): Json | undefined {
  if (valueOfAnswer(result) === undefined) return undefined;
  let changedNumber: { readonly before: number; readonly after: unknown } | undefined;
  const noted: Change = (part) => {
    const changed = change(part);
    if (typeof part === 'number' && changed !== 'gone')
      changedNumber = { before: part, after: changed.value };
    return changed;
  };
  const { structuredContent } = result;
  const structured =
    structuredContent === undefined ? undefined : withPart(structuredContent, path, noted);
  return changeAnswer(result, {
    structured: () => structured,
    text(text) {
      const read = readJson(text);
      if (read !== undefined) {
        const changed = withPart(read.value, path, change);
        return isSameJson(changed, read.value) ? text : JSON.stringify(changed);
      }
      return typeof changedNumber?.after === 'number'
        ? replaceNumber(text, changedNumber.before, changedNumber.after)
        : text;
    },
  });
}

const nextNumber: Change = (part) => ({ value: typeof part === 'number' ? part + 1 : part });

/** Replaces only complete numbers, not digits in words or in longer numbers. */
function replaceNumber(text: string, before: number, after: number): string {
  return text.replace(/(?<![\w.])\d+(?:\.\d+)?(?!\w|\.\d)/g, (digits) =>
    Number(digits) === before ? String(after) : digits,
  );
}

function nextInText(result: Json): Json {
  let isDone = false;
  return changeAnswer(result, {
    structured: (value) => value,
    text: (text) =>
      text.replace(/(?<![\w.])\d{1,15}(?!\w|\.\d)/, (digits) => {
        if (isDone) return digits;
        isDone = true;
        return String(Number(digits) + 1);
      }),
  });
}

export function tellsNumber(result: Json): boolean {
  return textsOf(result).some((text) => /(?<![\w.])\d{1,15}(?!\w|\.\d)/.test(text));
}

function emptyText(text: string): string {
  const read = readJson(text);
  if (read === undefined) return '';
  return Array.isArray(read.value) ? '[]' : '{}';
}

function firstHalf(text: string): string {
  return [...text].slice(0, Math.floor([...text].length / 2)).join('');
}

function halfOf(value: unknown): unknown {
  if (typeof value === 'string') return firstHalf(value);
  if (Array.isArray(value)) return value.slice(0, Math.floor(value.length / 2));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only !== undefined) return { [only[0]]: halfOf(only[1]) };
  return Object.fromEntries(entries.slice(0, Math.floor(entries.length / 2)));
}

function otherType(part: unknown): unknown {
  if (typeof part === 'string') return [part];
  if (part === null) return 'null';
  return typeof part === 'object' ? JSON.stringify(part) : String(part);
}

export function mutablePaths(operator: Mutant['operator'], result: Json): readonly string[] {
  const found = valueOfAnswer(result);
  if (found === undefined) return [];
  const places = placesIn(found.value);
  switch (operator) {
    case 'number-off-by-one':
      return places.filter(({ value }) => isCountable(value)).map(({ path }) => path);
    case 'field-missing':
      return places.filter(({ isField }) => isField).map(({ path }) => path);
    case 'wrong-type':
      return places.map(({ path }) => path);
    default:
      return [];
  }
}

function isCountable(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

/**
 * Returns whether an assertion's outcome depends on redacted content. The assertion is evaluated
 * again with other values in place of the redaction marks, and the outcome depends on them if any
 * value changes it. If a pattern or schema was applied to a mark and failed, the outcome depends on
 * the content too.
 */
import { deepEqual } from '../assertions/argument-matching.ts';
import type { AssertionContext } from '../assertions/assertion-kind.ts';
import { wordsOf } from '../assertions/word-f1.ts';
import { isRecord } from '../kernel/json.ts';
import {
  expandRedacted,
  fillMarksBy,
  fillRedactionMarks,
  holdsMarkText,
  keysOf,
  leavesOf,
  partsOf,
} from './fill-redaction-marks.ts';

type Engines = Pick<AssertionContext, 'patterns' | 'schemas'>;

export function dependsOnRedaction(
  asked: unknown,
  transcript: unknown,
  passes: (transcript: unknown) => boolean,
  /** Returns whether a pattern or a schema was applied to a redaction mark. */
  isForm = () => false,
): boolean {
  if (!holdsMarkText(transcript)) return false;
  const outcome = passes(transcript);
  if (!outcome && isForm()) return true;
  const parts = partsOf(asked);
  const named = [...parts, ...parts.map(ofWords)];
  const tries = [
    () => fillMarksBy(transcript, named),
    ...named.map((part) => () => fillMarksBy(transcript, [part])),
    ...named.map((part) => () => fillRedactionMarks(transcript, () => part)),
    ...lackingWords(asked, transcript).map(
      (words) => () => fillRedactionMarks(transcript, () => words),
    ),
    () => expandRedacted(transcript),
    () => eachOther(transcript),
    ...[...usual, ...aroundNumbers(asked), ...belowPointer(asked), ...leavesOf(asked)].map(
      (other) => () => fillRedactionMarks(transcript, () => other),
    ),
    // Keys are tried last, since the number of attempts is limited.
    ...[...new Set(keysNamed(asked))].map((key) => () => fillRedactionMarks(transcript, () => key)),
  ];
  return tries.slice(0, mostTried).some((filled) => passes(filled()) !== outcome);
}

/**
 * Wraps the pattern and schema engines; `sawMark` returns whether one of them was given a redaction
 * mark.
 */
export function notingMarks({ patterns, schemas }: Engines): Engines & { sawMark(): boolean } {
  let isSeen = false;
  return {
    sawMark: () => isSeen,
    patterns: {
      test(pattern, text) {
        isSeen ||= holdsMarkText(text);
        return patterns.test(pattern, text);
      },
    },
    schemas: {
      check(schema, value) {
        isSeen ||= holdsMarkText(value);
        return schemas.check(schema, value);
      },
    },
  };
}

const mostTried = 200;
const usual: readonly unknown[] = ['', 'something else', '?', 0, true, null, [], {}];

/**
 * The redacted part may have contained every word of the reference answer that the message lacks.
 */
function lackingWords(asked: unknown, transcript: unknown): string[] {
  if (!isRecord(asked) || typeof asked['reference'] !== 'string') return [];
  if (!isRecord(transcript) || typeof transcript['finalAssistantMessage'] !== 'string') return [];
  const there = new Set(wordsOf(transcript['finalAssistantMessage']));
  return [
    wordsOf(asked['reference'])
      .filter((word) => !there.has(word))
      .join(' '),
  ];
}

function eachOther(transcript: unknown): unknown {
  let count = 0;
  return fillRedactionMarks(transcript, () => {
    count += 1;
    return `something else ${count}`;
  });
}

function aroundNumbers(asked: unknown): number[] {
  return leavesOf(asked)
    .filter((leaf) => typeof leaf === 'number')
    .flatMap((leaf) => [leaf - 1, leaf + 1]);
}

/**
 * The redacted content may have contained the pointer's target, so values with that target are
 * tried.
 */
function belowPointer(asked: unknown): unknown[] {
  if (!isRecord(asked) || typeof asked['pointer'] !== 'string') return [];
  const names = asked['pointer'].split('/').slice(1);
  const { equals, contains, min, max } = asked;
  const wanted = [equals, contains, [contains], min, max].filter((one) => one !== undefined);
  return names.flatMap((_, from) =>
    [...wanted, 'something else'].map((value) =>
      names.slice(from).reduceRight<unknown>((inner, name) => ({ [name]: inner }), value),
    ),
  );
}

/** Returns the keys that an assertion names, since redacted content may have been a key. */
function keysNamed(asked: unknown): string[] {
  const pointers = leavesOf(asked).filter((leaf) => typeof leaf === 'string');
  const names = pointers
    .filter((leaf) => leaf.startsWith('/'))
    .flatMap((pointer) => pointer.split('/').slice(1))
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return [...names, ...keysOf(asked)];
}

function ofWords(part: unknown): unknown {
  if (typeof part === 'string') return typeWords.find(([word]) => word === part)?.[1] ?? part;
  if (!isRecord(part)) return part;
  const entries = Object.entries(part).map(([key, one]) => [key, ofWords(one)] as const);
  const changed = Object.fromEntries(entries);
  return deepEqual(changed, part) ? part : changed;
}

const typeWords: readonly (readonly [string, unknown])[] = [
  ['number', 0],
  ['boolean', true],
  ['object', {}],
  ['array', []],
];

/**
 * Reads and checks a narrator model's answer. The answer may name only the given candidates and the
 * units in the prompt. Only its texts are used; counts, ids and severity come from the detectors.
 */
import { readJsonAnswer } from '../judge/read-json-answer.ts';
import { isRecord, type Json } from '../kernel/json.ts';
import { confidences } from './candidate.ts';
import type { Narration, NarrationAnswer } from './narrator.ts';

export const answerLimits = {
  summary: 1_200,
  text: 800,
  criteria: 3,
  criterion: 200,
  discoveries: 5,
} as const;

export function readNarration(
  text: string,
  given: {
    readonly fingerprints: ReadonlySet<string>;
    readonly shownIds: ReadonlySet<string>;
  },
): NarrationAnswer | { readonly problem: string } {
  const answer = readJsonAnswer(text);
  if (answer === undefined) return { problem: 'The answer is not one JSON object.' };
  const summary = plainText(answer['summary'], answerLimits.summary);
  if (summary === undefined) {
    return { problem: `summary is not a text of 1 to ${answerLimits.summary} characters.` };
  }
  const entries = answer['candidates'];
  if (!Array.isArray(entries)) return { problem: 'candidates is not a list.' };
  const narrations = new Map<string, Narration>();
  for (const entry of entries) {
    const fingerprint = isRecord(entry) ? entry['fingerprint'] : undefined;
    if (typeof fingerprint !== 'string' || !given.fingerprints.has(fingerprint)) continue;
    const narration = readEntry(entry as Json);
    if ('problem' in narration) return narration;
    if (!narrations.has(fingerprint)) narrations.set(fingerprint, narration);
  }
  return {
    summary,
    narrations: Object.fromEntries(narrations),
    discovery: {
      findings: readDiscovery(answer['discovery'], given.shownIds),
      sampledSessionIds: [...given.shownIds],
    },
  };
}

export function unnarratedOf(
  fingerprints: readonly string[],
  { narrations }: Pick<NarrationAnswer, 'narrations'>,
): string[] {
  return fingerprints.filter((fingerprint) => !Object.hasOwn(narrations, fingerprint));
}

function readEntry(entry: Json): Narration | { readonly problem: string } {
  const rootCause = plainText(entry['rootCause'], answerLimits.text);
  const recommendation = plainText(entry['recommendation'], answerLimits.text);
  if (rootCause === undefined || recommendation === undefined) {
    return {
      problem: `rootCause and recommendation of a candidate are not texts of 1 to ${answerLimits.text} characters.`,
    };
  }
  const criteria = entry['acceptanceCriteria'];
  const read = (Array.isArray(criteria) ? criteria : [undefined]).map((one) =>
    plainText(one, answerLimits.criterion),
  );
  if (read.length > answerLimits.criteria || read.includes(undefined)) {
    return {
      problem: `acceptanceCriteria of a candidate is not a list of up to ${answerLimits.criteria} texts of 1 to ${answerLimits.criterion} characters.`,
    };
  }
  return {
    rootCause,
    recommendation,
    confidence: confidences.find((one) => one === entry['confidence']) ?? 'low',
    acceptanceCriteria: read as string[],
  };
}

function readDiscovery(
  discovery: unknown,
  shownIds: ReadonlySet<string>,
): NarrationAnswer['discovery']['findings'] {
  const findings = isRecord(discovery) ? discovery['findings'] : undefined;
  return (Array.isArray(findings) ? findings : [])
    .flatMap((finding) => {
      if (!isRecord(finding)) return [];
      const title = plainText(finding['title'], answerLimits.criterion);
      const observed = plainText(finding['observed'], answerLimits.text);
      const ids = finding['evidenceSessionIds'];
      const evidenceSessionIds = (Array.isArray(ids) ? ids : []).filter(
        (id): id is string => typeof id === 'string' && shownIds.has(id),
      );
      const isKept = title !== undefined && observed !== undefined && evidenceSessionIds.length > 0;
      return isKept
        ? { title, observed, evidenceSessionIds: [...new Set(evidenceSessionIds)] }
        : [];
    })
    .slice(0, answerLimits.discoveries);
}

/** Characters that control a terminal or the direction of text. */
const steering = /[\p{Cc}\p{Co}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/**
 * Returns the text on one line without control characters; undefined if the value is not a text, is
 * empty or is too long.
 */
function plainText(value: unknown, most: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const plain = value.toWellFormed().replaceAll(/\s+/g, ' ').replaceAll(steering, '').trim();
  return plain !== '' && plain.length <= most ? plain : undefined;
}

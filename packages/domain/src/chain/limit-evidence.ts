/**
 * A row carries at most five span ids, five prompt indexes and five reasons, each once and in the
 * order they were seen. A longer reason is cut and ends in an ellipsis. An empty list is left out,
 * and so is evidence with no list in it.
 */
import type { Pointers } from './measurement.ts';
import { evidenceLimits, type StageEvidence } from './vocabulary.ts';

export function limitEvidence(pointers: Pointers | undefined): StageEvidence | undefined {
  if (pointers === undefined) return undefined;
  const { spans = [], turns = [], reasons = [] } = pointers;
  const spanIds = firstFew(spans.map((span) => span.id));
  const promptIndexes = firstFew(
    [...spans, ...turns].map((place) => place.promptIndex).filter(isPromptIndex),
  );
  const predicateReasons = firstFew(reasons.filter(isSaid).map(cutReason));
  const evidence = {
    ...(spanIds.length > 0 ? { spanIds } : {}),
    ...(promptIndexes.length > 0 ? { promptIndexes } : {}),
    ...(predicateReasons.length > 0 ? { predicateReasons } : {}),
  };
  return Object.keys(evidence).length > 0 ? evidence : undefined;
}

function firstFew<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)].slice(0, evidenceLimits.items);
}

function cutReason(reason: string): string {
  const whole = reason.toWellFormed();
  if (whole.length <= evidenceLimits.reasonLength) return whole;
  const kept = whole.slice(0, evidenceLimits.reasonLength - 1);
  // The cut must not leave the first half of a character that takes two units.
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`;
}

export function isSaid(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

function isPromptIndex(index: number | undefined): index is number {
  return index !== undefined && Number.isSafeInteger(index) && index >= 0;
}

/**
 * Limits evidence to five distinct entries for each list, and cuts long reasons with an ellipsis.
 * Returns undefined if all lists are empty.
 */
import type { Pointers } from './measurement.ts';
import { evidenceLimits, type StageEvidence } from './vocabulary.ts';

export function limitEvidence(pointers: Pointers | undefined): StageEvidence | undefined {
  if (pointers === undefined) return undefined;
  const { spans = [], turns = [], reasons = [] } = pointers;
  const spanIds: string[] = [];
  const promptIndexes: number[] = [];
  const predicateReasons: string[] = [];
  for (const { id, promptIndex } of spans) {
    add(spanIds, id);
    if (isPromptIndex(promptIndex)) add(promptIndexes, promptIndex);
  }
  for (const { promptIndex } of turns) {
    if (isPromptIndex(promptIndex)) add(promptIndexes, promptIndex);
  }
  for (const reason of reasons) if (hasText(reason)) add(predicateReasons, cutReason(reason));
  const evidence = {
    ...(spanIds.length > 0 && { spanIds }),
    ...(promptIndexes.length > 0 && { promptIndexes }),
    ...(predicateReasons.length > 0 && { predicateReasons }),
  };
  return Object.keys(evidence).length > 0 ? evidence : undefined;
}

function add<Item>(list: Item[], item: Item): void {
  if (list.length < evidenceLimits.items && !list.includes(item)) list.push(item);
}

function cutReason(reason: string): string {
  const whole = reason.toWellFormed();
  if (whole.length <= evidenceLimits.reasonLength) return whole;
  const kept = whole.slice(0, evidenceLimits.reasonLength - 1);
  // Avoids splitting a surrogate pair.
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`;
}

export function hasText(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

function isPromptIndex(index: number | undefined): index is number {
  return index !== undefined && Number.isSafeInteger(index) && index >= 0;
}

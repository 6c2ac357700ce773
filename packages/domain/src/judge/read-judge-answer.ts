/**
 * Reads a judge's answer: one JSON object, bare or in one fenced block.
 *
 * - An invalid score, reason or `hits` makes the whole answer invalid; nothing is repaired.
 * - The judge's own verdict is ignored, since the threshold decides.
 * - Without a rubric the score is capped. The reason then begins with a notice of the cap, so that
 *   cutting the reason cannot remove the notice.
 */

import { capText } from '../assertions/redact.ts';
import { isRecord } from '../kernel/json.ts';
import { unguidedScoreCap } from './judge-bands.ts';
import { readJsonAnswer } from './read-json-answer.ts';

export interface ReadJudgeAnswer {
  readonly score: number;
  readonly reason: string;
  readonly rubricHits: readonly string[];
  readonly criteria?: readonly ScoredCriterion[];
}

export interface ScoredCriterion {
  readonly name: string;
  readonly score: number;
  readonly reason: string;
}

export function readJudgeAnswer(
  text: string,
  hasRubric: boolean,
  criteria?: readonly string[],
): ReadJudgeAnswer | { readonly problem: string } {
  const answer = readJsonAnswer(text);
  if (answer === undefined) return { problem: 'The judge did not answer with one JSON object.' };
  const { score, reason, rubricHits = hasRubric ? undefined : [] } = answer;
  if (typeof score !== 'number' || !(score >= 0 && score <= 1)) {
    return { problem: 'The judge gave no score from 0 to 1.' };
  }
  if (typeof reason !== 'string' || reason.trim() === '') {
    return { problem: 'The judge gave no reason.' };
  }
  if (!Array.isArray(rubricHits) || !rubricHits.every((hit) => typeof hit === 'string')) {
    return { problem: 'The judge gave no rubricHits.' };
  }
  const hits = rubricHits.slice(0, maxHits).map((hit) => capText(hit, maxHitLength));
  const cappedReason = capText(reason.trim(), maxReasonLength);
  const scored = criteria && readCriteria(answer['criteria'], criteria);
  if (scored !== undefined && 'problem' in scored) return scored;
  const parts = scored === undefined ? {} : { criteria: scored };
  if (hasRubric || score <= unguidedScoreCap) {
    return { score, reason: cappedReason, rubricHits: hits, ...parts };
  }
  return {
    score: unguidedScoreCap,
    reason: `The score is capped at ${unguidedScoreCap}, because the case has no expected output to measure against. ${cappedReason}`,
    rubricHits: hits,
    ...parts,
  };
}

/**
 * Requires every requested criterion exactly once and no other, since a missing criterion was not
 * judged.
 */
function readCriteria(
  given: unknown,
  names: readonly string[],
): readonly ScoredCriterion[] | { readonly problem: string } {
  const problem = 'The judge did not score every criterion once, from 0 to 1 and with a reason.';
  if (!Array.isArray(given) || given.length !== names.length) return { problem };
  const read: ScoredCriterion[] = [];
  for (const name of names) {
    const found: unknown = given.find((one) => isRecord(one) && one['name'] === name);
    const { score, reason } = isRecord(found) ? found : {};
    if (typeof score !== 'number' || !(score >= 0 && score <= 1)) return { problem };
    if (typeof reason !== 'string' || reason.trim() === '') return { problem };
    read.push({ name, score, reason: capText(reason.trim(), maxHitLength) });
  }
  return read;
}

const maxHits = 20;
const maxHitLength = 300;
const maxReasonLength = 1000;

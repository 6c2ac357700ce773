/**
 * Reads the answer of a judge. It is one JSON object, alone or in one fenced block; a score that is no fraction, a
 * blank reason or hits that are no list of texts make the whole answer invalid, and an invalid answer is never mended.
 * What the judge says of passing is not read: the threshold decides. Without a rubric a score is capped, and the
 * reason says so first, where no cut can take it away.
 */

import { capText } from '../assertions/redact.ts';
import { unguidedScoreCap } from './judge-bands.ts';
import { readJsonAnswer } from './read-json-answer.ts';

export interface ReadJudgeAnswer {
  readonly score: number;
  readonly reason: string;
  readonly rubricHits: readonly string[];
}

export function readJudgeAnswer(
  text: string,
  hasRubric: boolean,
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
    return { problem: 'The judge did not list what it found of the rubric.' };
  }
  const hits = rubricHits.slice(0, maxHits).map((hit) => capText(hit, maxHitLength));
  const said = capText(reason.trim(), maxReasonLength);
  if (hasRubric || score <= unguidedScoreCap) return { score, reason: said, rubricHits: hits };
  return {
    score: unguidedScoreCap,
    reason: `The score is capped at ${unguidedScoreCap}, for the case has no expected output to measure against. ${said}`,
    rubricHits: hits,
  };
}

const maxHits = 20;
const maxHitLength = 300;
const maxReasonLength = 1000;

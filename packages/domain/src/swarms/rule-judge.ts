/**
 * `proofmark/rule-judge-1`: scores the share of the goal's intents that a scripted user completed.
 * It needs the intents of the scripted user, so it cannot judge sessions of other simulated users.
 */
import { capText } from '../assertions/redact.ts';
import { unguidedScoreCap } from '../judge/judge-bands.ts';
import type { ScriptedIntent } from './scripted-user.ts';

export const ruleJudgeId = 'proofmark/rule-judge-1';

export interface SessionToJudge {
  /** The intents; null if the simulated user was not the scripted user. */
  readonly intents: readonly ScriptedIntent[] | null;
  readonly calls: readonly { readonly failed: boolean }[];
  readonly hasRubric: boolean;
}

export function judgeByRules({
  intents,
  calls,
  hasRubric,
}: SessionToJudge):
  | { readonly score: number; readonly reason: string }
  | { readonly errorCode: 'no_judge_model' } {
  if (intents === null || intents.length === 0) return { errorCode: 'no_judge_model' };
  const done = intents.filter(({ state }) => state === 'done').length;
  const endedInFailure = calls.at(-1)?.failed === true;
  const earned = Math.max(0, done / intents.length - (endedInFailure ? failureCost : 0));
  const isCapped = !hasRubric && earned > unguidedScoreCap;
  const undone = intents.find(({ state }) => state !== 'done');
  const reasons = [
    ...(isCapped
      ? [`The score is capped at ${unguidedScoreCap}, because the journey has no checks.`]
      : []),
    undone === undefined
      ? 'Everything the user asked for was answered.'
      : `${undone.state === 'givenUp' ? 'Given up' : 'Not reached'}: “${capText(undone.text, longestIntent)}”.`,
    ...(endedInFailure ? ['The last tool call failed.'] : []),
  ];
  return { score: isCapped ? unguidedScoreCap : earned, reason: reasons.join(' ') };
}

const failureCost = 0.25;
const longestIntent = 500;

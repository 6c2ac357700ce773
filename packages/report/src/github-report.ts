/**
 * A decision for GitHub: workflow commands that become annotations, the summary of a step, and the
 * text of one comment that is identified by its first line. They contain foreign text, none of
 * which may start a command or end the mark. GitHub drops texts that are too long, so each is cut
 * before.
 */
import { cleanText, type DecisionSummary, wentAsRecorded } from '@proofmark/domain';
import { leftOutSentences } from './left-out-sentence.ts';
import { brokenRuleOf } from './read-checks.ts';
import { refusedSentences } from './refused-sentence.ts';
import { replaySentences } from './replay-sentence.ts';
import type { TrialCalls } from './show-call.ts';
import { candidateSentences, type SurfaceToRender } from './surface-words.ts';
import { verdictSentence } from './verdict-sentence.ts';
import { plainSentence } from './write-text.ts';

type Level = 'notice' | 'warning' | 'error';

/** GitHub shows ten of each kind per step; the first is about the whole run. */
const mostAnnotations = 10;
/** GitHub accepts 65,536 characters. */
const longestComment = 65_000;
/**
 * GitHub accepts 1 MiB per step, of which earlier commands may have used some; a character has at
 * most four bytes.
 */
const longestSummary = 200_000;
/** GitHub accepts titles of 255 characters, and messages of 64 KB. */
const longestTitle = 255;
const longestMessage = 15_000;

export function githubAnnotations(
  summary: DecisionSummary,
  known: {
    readonly isWaived: boolean;
    readonly surface?: SurfaceToRender | undefined;
    /** The results of the scorers, by trial id. */
    readonly calls?: ReadonlyMap<string, TrialCalls> | undefined;
  },
): string[] {
  const level = levelOf(summary, known.isWaived);
  const about = [
    verdictSentence(summary),
    ...replaySentences(summary.replay),
    ...refusedSentences(summary.refusedCalls),
    ...leftOutSentences(summary.leftOut, summary.refusedCalls),
    ...candidateSentences(summary, known),
  ].map((sentence) => plainSentence(sentence, false));
  const whole = workflowCommand(level, 'Proofmark', about.join('\n'));
  if (level === 'notice') return [whole];
  const trials = summary.diagnostics.items.slice(0, mostAnnotations - 1).map((trial) => {
    const title = trial.title ?? trial.caseId ?? trial.iterationId;
    const why = trial.observed?.failure;
    const brokenRule = brokenRuleOf(known.calls?.get(trial.iterationId) ?? {});
    const said = [why, brokenRule, trial.advice, trial.nextAction].filter(
      (one) => one !== undefined,
    );
    const lines = said.map((one) => cleanText(one, false));
    return workflowCommand(level, cleanText(title, false), lines.join('\n'));
  });
  return [whole, ...trials];
}

function levelOf({ verdict, nothingCalled, replay }: DecisionSummary, isWaived: boolean): Level {
  if (!wentAsRecorded(replay)) return 'warning';
  if (verdict === 'passed') return nothingCalled === true ? 'warning' : 'notice';
  return verdict === 'failed' && !isWaived ? 'error' : 'warning';
}

export function workflowCommand(level: Level, title: string, message: string): string {
  const property = escaped(cut(title, longestTitle)).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${level} title=${property}::${escaped(cut(message, longestMessage))}`;
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/**
 * Returns the mark of a comment, one for each suite. Valid suite ids have only letters, digits and
 * underscores.
 */
export function githubCommentMark(suiteId: string): string {
  return `<!-- proofmark ${suiteId.replaceAll(/\W/g, '')} -->`;
}

export function githubComment(suiteId: string, markdown: string, page: string): string {
  return cutAtLine(`${githubCommentMark(suiteId)}\n${markdown}`, longestComment, page);
}

export function githubStepSummary(markdown: string, page: string): string {
  return cutAtLine(`${markdown}\n`, longestSummary, page);
}

function cutAtLine(whole: string, longest: number, page: string): string {
  if (whole.length <= longest) return whole;
  const lines = whole.slice(0, longest).split('\n').slice(0, -1);
  return `${lines.join('\n')}\n\nThe rest is in the console: <${page}>\n`;
}

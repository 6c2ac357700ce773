/**
 * Writes a decision for GitHub: workflow commands that become annotations, the summary of a step,
 * and a comment. Later jobs find the comment by its first line. Text from outside must neither
 * start a command nor imitate this first line. GitHub drops texts that are too long, so all texts
 * are cut first.
 */
import { cleanText, type DecisionSummary, wentAsRecorded } from '@proofmark/domain';
import { leftOutSentences } from './left-out-sentence.ts';
import { type QuarantineToRender, quarantineSentences } from './quarantine-words.ts';
import { brokenRuleOf } from './read-checks.ts';
import { refusedSentences } from './refused-sentence.ts';
import { replaySentences } from './replay-sentence.ts';
import type { TrialCalls } from './show-call.ts';
import { candidateSentences, type SurfaceToRender } from './surface-words.ts';
import { verdictSentence } from './verdict-sentence.ts';
import { plainSentence } from './write-text.ts';

type Level = 'notice' | 'warning' | 'error';

/** GitHub shows ten annotations per level and step. The first one describes the whole run. */
const mostAnnotations = 10;
/** Characters; GitHub accepts 65,536. */
const longestComment = 65_000;
/**
 * Characters of at most four bytes. GitHub accepts 1 MiB per step, and earlier commands may have
 * used some of it.
 */
const longestSummary = 200_000;
/** Characters; GitHub accepts 255. A message may have 64 KB. */
const longestTitle = 255;
const longestMessage = 15_000;

export function githubAnnotations(
  summary: DecisionSummary,
  known: {
    readonly isWaived: boolean;
    readonly quarantine?: QuarantineToRender | undefined;
    readonly surface?: SurfaceToRender | undefined;
    readonly calls?: ReadonlyMap<string, TrialCalls> | undefined;
  },
): string[] {
  const { quarantine } = known;
  const level = levelOf(summary, known.isWaived, quarantine);
  const about = [
    verdictSentence(summary),
    ...replaySentences(summary.replay),
    ...refusedSentences(summary.refusedCalls),
    ...leftOutSentences(summary.leftOut, summary.refusedCalls),
    ...candidateSentences(summary, known),
    ...quarantineSentences(quarantine),
  ].map((sentence) => plainSentence(sentence, false));
  const whole = workflowCommand(level, 'Proofmark', about.join('\n'));
  if (level === 'notice') return [whole];
  const trials = summary.diagnostics.items.slice(0, mostAnnotations - 1).map((trial) => {
    const title = trial.title ?? trial.caseId ?? trial.iterationId;
    const why = trial.observed?.failure;
    const brokenRule = brokenRuleOf(known.calls?.get(trial.iterationId) ?? {});
    const sentences = [why, brokenRule, trial.advice, trial.nextAction].filter(
      (one) => one !== undefined,
    );
    const lines = sentences.map((one) => cleanText(one, false));
    return workflowCommand(level, cleanText(title, false), lines.join('\n'));
  });
  return [whole, ...trials];
}

function levelOf(
  { verdict, nothingCalled, replay }: DecisionSummary,
  isWaived: boolean,
  quarantine: QuarantineToRender | undefined,
): Level {
  if (!wentAsRecorded(replay)) return 'warning';
  if (quarantine?.word === 'QUARANTINED') return 'warning';
  if (quarantine?.word === 'FAILED') return 'error';
  if (verdict === 'passed') return nothingCalled === true ? 'warning' : 'notice';
  return verdict === 'failed' && !isWaived ? 'error' : 'warning';
}

export function workflowCommand(
  level: Level,
  title: string,
  message: string,
  place?: { readonly file: string; readonly line?: number | undefined },
): string {
  const where = [
    ...(place === undefined ? [] : [`file=${property(place.file)}`]),
    ...(place?.line === undefined ? [] : [`line=${place.line}`]),
    `title=${property(cut(title, longestTitle))}`,
  ];
  return `::${level} ${where.join(',')}::${escaped(cut(message, longestMessage))}`;
}

function property(text: string): string {
  return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/**
 * The first line of a suite's comment, which later jobs search for. Valid suite ids have only
 * letters, digits and underscores.
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

/** Cuts a text at the end of a line. The last line states where the rest is. */
export function cutAtLine(whole: string, longest: number, page: string | undefined): string {
  if (whole.length <= longest) return whole;
  const lines = whole.slice(0, longest).split('\n').slice(0, -1);
  const rest = page === undefined ? 'in the reports of the job.' : `in the console: <${page}>`;
  return `${lines.join('\n')}\n\nThe rest is ${rest}\n`;
}

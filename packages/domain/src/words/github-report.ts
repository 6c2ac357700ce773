/**
 * A decision for GitHub: workflow commands that become annotations, and the text of one comment that is found again by
 * its first line. Texts of other people stand in both, so nothing of them may start a command or end the mark.
 */
import type { DecisionSummary } from '../verdict/decision-summary.ts';
import { cleanText } from './clean-text.ts';
import { verdictSentence } from './verdict-sentence.ts';
import { plainSentence } from './write-text.ts';

type Level = 'notice' | 'warning' | 'error';

/** GitHub shows ten of a kind for each step; the first is about the whole run. */
const mostAnnotations = 10;
/** GitHub takes 65,536 characters. */
const longestComment = 65_000;

export function githubAnnotations(summary: DecisionSummary, isWaived: boolean): string[] {
  const level = levelOf(summary, isWaived);
  const whole = workflowCommand(level, 'Proofmark', plainSentence(verdictSentence(summary), false));
  if (level === 'notice') return [whole];
  const trials = summary.diagnostics.items.slice(0, mostAnnotations - 1).map((trial) => {
    const title = trial.title ?? trial.caseId ?? trial.iterationId;
    const why = trial.observed?.failure;
    const said =
      why === undefined ? trial.nextAction : `${cleanText(why, false)}\n${trial.nextAction}`;
    return workflowCommand(level, cleanText(title, false), said);
  });
  return [whole, ...trials];
}

function levelOf({ verdict }: DecisionSummary, isWaived: boolean): Level {
  if (verdict === 'passed') return 'notice';
  return verdict === 'failed' && !isWaived ? 'error' : 'warning';
}

export function workflowCommand(level: Level, title: string, message: string): string {
  const property = escaped(title).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${level} title=${property}::${escaped(message)}`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** One comment for each suite. An id of ours holds letters, digits and underscores. */
export function githubCommentMark(suiteId: string): string {
  return `<!-- proofmark ${suiteId.replaceAll(/\W/g, '')} -->`;
}

export function githubComment(suiteId: string, markdown: string, page: string): string {
  const whole = `${githubCommentMark(suiteId)}\n${markdown}`;
  if (whole.length <= longestComment) return whole;
  const lines = whole.slice(0, longestComment).split('\n').slice(0, -1);
  return `${lines.join('\n')}\n\nThe rest is in the console: <${page}>\n`;
}

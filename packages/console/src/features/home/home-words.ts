import type { Home } from '@proofmark/contract';
import { becauseWords, count, serverHealthSentence, stageWords } from '@proofmark/domain';
import type { Tone } from '../evals/index.ts';

export interface Headline {
  readonly tone: Tone;
  readonly word: string;
  readonly rest: string;
}

type Decision = Home['decisions']['items'][number];
type FirstTrial = NonNullable<Home['failing']['items'][number]['first']>;

export function homeHeadline(home: Home): Headline {
  const { failing, decisions, findings, latest } = home;
  const toDecide = `${count(decisions.total, 'thing')} to decide`;
  if (failing.total > 0) {
    const more = decisions.total > 0 ? `; ${toDecide}` : '';
    return { tone: 'fail', word: 'Failing:', rest: `${count(failing.total, 'suite')}${more}` };
  }
  if (decisions.total > 0) return { tone: 'hold', word: toDecide, rest: ', nothing is red' };
  if (findings.total > 0) {
    return { tone: 'hold', word: count(findings.total, 'open finding'), rest: ', nothing is red' };
  }
  if (latest.total === 0) return { tone: 'none', word: 'Nothing has run yet', rest: '' };
  return { tone: 'pass', word: 'Nothing is red', rest: '' };
}

export function homeIntro({ failing, findings, latest, running, waived }: Home): string {
  if (latest.total === 0 && running.total === 0) {
    return 'A run of a suite ends in a decision, which is told here first.';
  }
  const of =
    latest.total === 1
      ? 'The latest run of the only suite that ran'
      : `Of ${count(latest.total, 'suite')} that ran, ${failing.total === 0 ? 'none' : failing.total}`;
  const failed =
    latest.total === 1 ? (failing.total === 1 ? ' failed' : ' did not fail') : ' failed last time';
  const parts = [
    ...(latest.total === 0 ? [] : [`${of}${waived > 0 ? `${failed} without a waiver` : failed}.`]),
    ...(waived > 0
      ? [`${count(waived, 'failing run')} ${waived === 1 ? 'is' : 'are'} waived.`]
      : []),
    ...openFindingsWords(findings),
    running.total === 0 ? 'Nothing is running now.' : `${count(running.total, 'run')} going on.`,
  ];
  return parts.join(' ');
}

function openFindingsWords({ total }: Home['findings']): string[] {
  if (total === 0) return [];
  return [`${count(total, 'finding')} of swarms and visitors ${total === 1 ? 'is' : 'are'} open.`];
}

/** Returns the first failure of a trial as a sentence, such as “Selection failed: the calls …”. */
export function whyOfTrial({ stage, reason, status }: FirstTrial): string | undefined {
  if (stage === null) return undefined;
  const name = stageWords[stage];
  const because = reason === null ? '' : `: ${becauseWords(reason, status)}`;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} failed${because}.`;
}

export function decisionWords(decision: Decision): {
  readonly word: string;
  readonly sentence: string;
} {
  switch (decision.kind) {
    case 'serverInTrouble':
      return { word: 'Server', sentence: `${serverHealthSentence(decision)}.` };
    case 'scheduleRefused':
      return { word: 'Schedule', sentence: `was not started: ${decision.message}` };
    case 'waiverEnding':
      return {
        word: 'Waiver',
        sentence: 'failed, and the waiver that lets it through its gate ends soon.',
      };
    case 'runUndecided':
      return { word: 'Run', sentence: sentenceOf(decision.run.sentence) };
  }
}

/**
 * Splits a run's sentence into its verdict and the rest. The page styles the verdict, which is in
 * capitals for terminals.
 */
export function splitSentence(sentence: string): {
  readonly verdict: string;
  readonly rest: string;
} {
  const end = sentence.indexOf(': ');
  if (end === -1) return { verdict: '', rest: sentence };
  const verdict = sentence.slice(0, end).toLowerCase();
  return {
    verdict: `${verdict.charAt(0).toUpperCase()}${verdict.slice(1)}:`,
    rest: sentence.slice(end + 1),
  };
}

function sentenceOf(sentence: string): string {
  const { verdict, rest } = splitSentence(sentence);
  return `${verdict.toLowerCase()}${rest}.`;
}

export function moreWords(list: { readonly total: number; readonly items: readonly unknown[] }) {
  const more = list.total - list.items.length;
  return more > 0 ? `and ${more} more` : undefined;
}

/**
 * Renders a decision summary for people: the verdict sentence first, then where it breaks and whether
 * everything was measured, the waiver in force, the trials that did not pass, and what is not shown. The
 * same words come out as plain text and as Markdown.
 */
import type { CaseTitles } from '../verdict/case-titles.ts';
import type { DecisionSummary } from '../verdict/decision-summary.ts';
import { aboutRun, failedCases, nextForRun } from './about-run.ts';
import { address, runPage } from './console-page.ts';
import { endedTrials, hasRunEnded, trialsToCome } from './ended-trials.ts';
import { groupTrials, type TrialGroup } from './group-trials.ts';
import { judgeSentences, type RunJudges } from './judge-sentence.ts';
import { notShown } from './not-shown.ts';
import type { TrialWords } from './outline-trial.ts';
import { count, quote, type Sentence, say, theirs } from './say.ts';
import type { SummaryOutline } from './summary-outline.ts';
import { legend } from './symbols.ts';
import { verdictSentence } from './verdict-sentence.ts';
import { verdictWords } from './words.ts';
import { writeMarkdown } from './write-markdown.ts';
import { writeText } from './write-text.ts';

export interface RenderOptions extends TrialWords {
  readonly format: 'text' | 'markdown';
  /** Only signs of ASCII, for terminals that print no others. */
  readonly ascii?: boolean | undefined;
  /** Where lines of text wrap. */
  readonly width?: number | undefined;
  readonly waiver?: WaiverInForce | undefined;
  /** What people call the run. */
  readonly title?: string | undefined;
  /** What people call its cases. */
  readonly caseTitles?: CaseTitles | undefined;
  /** What judges said about it. */
  readonly judges?: RunJudges | undefined;
  /** Whether its trials shared their sessions. */
  readonly sessions?: 'run' | undefined;
  /** Whether it says where the console shows the run; whoever says so elsewhere leaves it out. */
  readonly namesPage?: boolean | undefined;
  /** Only what is said about the whole run, without its trials. */
  readonly brief?: boolean | undefined;
}

export interface WaiverInForce {
  readonly until: string;
  readonly by: string;
  readonly reason: string;
}

type OutlineOptions = Omit<RenderOptions, 'format' | 'width' | 'brief'>;

/** Whoever has to read more of them reads them in the console. */
const shownBlocks = 20;

export function renderSummary(summary: DecisionSummary, options: RenderOptions): string {
  const ascii = options.ascii ?? false;
  const groups = groupTrials(endedTrials(summary), ascii, options);
  const whole = outlineGroups(summary, { ...options, ascii }, groups);
  const outline = options.brief ? withoutTrials(whole) : withoutFurther(whole, groups);
  return options.format === 'text'
    ? writeText(outline, { ascii, width: options.width ?? 80 })
    : writeMarkdown(outline, { ascii });
}

/** The same words before they are written, for readers that lay them out themselves. */
export function outlineSummary(
  summary: DecisionSummary,
  options: OutlineOptions = {},
): SummaryOutline {
  const groups = groupTrials(endedTrials(summary), options.ascii ?? false, options);
  return outlineGroups(summary, options, groups);
}

function outlineGroups(
  summary: DecisionSummary,
  options: OutlineOptions,
  groups: readonly TrialGroup[],
): SummaryOutline {
  const { ascii = false, waiver, title, caseTitles, judges, namesPage = true } = options;
  const place = namesPage ? options.console : undefined;
  const trials = groups.map(({ outline }) => outline);
  const run = say`Run ${theirs(summary.runId)}`;
  return {
    verdict: verdictSentence(summary),
    about: [
      ...aboutRun(summary),
      ...(options.sessions === 'run' ? [sharedSessions] : []),
      ...(judges === undefined ? [] : judgeSentences(judges)),
    ],
    run: title === undefined ? say`${run}.` : say`${run}, ${quote(title)}.`,
    page: place && say`${address(runPage(place, summary.runId))}`,
    waiver: waiver && waiverSentence(waiver, summary),
    next: nextForRun(summary),
    cases: failedCases(summary, caseTitles),
    trialsHeading: trialsHeading(summary),
    trials,
    legend: trials.some(({ strip }) => strip.length > 0) ? legend(ascii) : [],
    notShown: notShown(summary),
  };
}

const sharedSessions = say`Its trials shared one session with each server, so one may have seen what another did.`;

function withoutTrials(outline: SummaryOutline): SummaryOutline {
  return { ...outline, trialsHeading: undefined, trials: [], legend: [], notShown: [] };
}

function withoutFurther(outline: SummaryOutline, groups: readonly TrialGroup[]): SummaryOutline {
  const further = groups.slice(shownBlocks).reduce((sum, { trials }) => sum + trials, 0);
  if (further === 0) return outline;
  return {
    ...outline,
    trials: outline.trials.slice(0, shownBlocks),
    notShown: [
      say`${count(further, 'more trial')} that did not pass; the console shows ${further === 1 ? 'it' : 'them'}.`,
      ...outline.notShown,
    ],
  };
}

function waiverSentence({ until, by, reason }: WaiverInForce, summary: DecisionSummary): Sentence {
  return say`Gate waived until ${theirs(until)} by ${theirs(by)}: ${quote(reason)}. The verdict stays ${verdictWords[summary.verdict]}.`;
}

function trialsHeading(summary: DecisionSummary): Sentence {
  const { items, scannedIterations, complete } = summary.diagnostics;
  const place = complete ? '' : ' on this page';
  if (!hasRunEnded(summary)) {
    const ended = scannedIterations - trialsToCome(summary);
    const failing = endedTrials(summary).length;
    if (ended === 0) return say`No trial has ended so far`;
    return failing === 0
      ? say`Every trial passed so far: ${count(ended, 'trial')} examined${place}`
      : say`Did not pass so far: ${failing} of ${count(ended, 'trial')} examined${place}`;
  }
  if (scannedIterations === 0) return say`No trial was examined${place}`;
  const examined = `${count(scannedIterations, 'trial')} examined${place}`;
  return items.length === 0
    ? say`Every trial passed: ${examined}`
    : say`Trials that did not pass: ${items.length} of ${examined}`;
}

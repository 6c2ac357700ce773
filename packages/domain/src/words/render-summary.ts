/**
 * Renders a decision summary for people: the verdict sentence first, then where it breaks and whether
 * everything was measured, the waiver in force, the trials that did not pass, and what is not shown. The
 * same words come out as plain text and as Markdown.
 */
import type { CaseTitles } from '../verdict/case-titles.ts';
import type { DecisionSummary } from '../verdict/decision-summary.ts';
import { aboutRun, failedCases, nextForRun } from './about-run.ts';
import { notShown } from './not-shown.ts';
import { outlineTrial } from './outline-trial.ts';
import { count, quote, type Sentence, say, theirs } from './say.ts';
import type { SummaryOutline } from './summary-outline.ts';
import { legend } from './symbols.ts';
import { verdictSentence } from './verdict-sentence.ts';
import { verdictWords } from './words.ts';
import { writeMarkdown } from './write-markdown.ts';
import { writeText } from './write-text.ts';

export interface RenderOptions {
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
  /** Only what is said about the whole run, without its trials. */
  readonly brief?: boolean | undefined;
}

export interface WaiverInForce {
  readonly until: string;
  readonly by: string;
  readonly reason: string;
}

export function renderSummary(summary: DecisionSummary, options: RenderOptions): string {
  const ascii = options.ascii ?? false;
  const whole = outlineSummary(summary, { ...options, ascii });
  const outline = options.brief ? withoutTrials(whole) : whole;
  return options.format === 'text'
    ? writeText(outline, { ascii, width: options.width ?? 80 })
    : writeMarkdown(outline, { ascii });
}

/** The same words before they are written, for readers that lay them out themselves. */
export function outlineSummary(
  summary: DecisionSummary,
  {
    ascii = false,
    waiver,
    title,
    caseTitles,
  }: Pick<RenderOptions, 'ascii' | 'waiver' | 'title' | 'caseTitles'> = {},
): SummaryOutline {
  const trials = summary.diagnostics.items.map((trial) => outlineTrial(trial, ascii));
  const run = say`Run ${theirs(summary.runId)}`;
  return {
    verdict: verdictSentence(summary),
    about: aboutRun(summary),
    run: title === undefined ? say`${run}.` : say`${run}, ${quote(title)}.`,
    waiver: waiver && waiverSentence(waiver, summary),
    next: nextForRun(summary),
    cases: failedCases(summary, caseTitles),
    trialsHeading: trialsHeading(summary),
    trials,
    legend: trials.some(({ strip }) => strip.length > 0) ? legend(ascii) : [],
    notShown: notShown(summary),
  };
}

function withoutTrials(outline: SummaryOutline): SummaryOutline {
  return { ...outline, trialsHeading: undefined, trials: [], legend: [], notShown: [] };
}

function waiverSentence({ until, by, reason }: WaiverInForce, summary: DecisionSummary): Sentence {
  return say`Gate waived until ${theirs(until)} by ${theirs(by)}: ${quote(reason)}. The verdict stays ${verdictWords[summary.verdict]}.`;
}

function trialsHeading({ diagnostics }: DecisionSummary): Sentence {
  const { items, scannedIterations, complete } = diagnostics;
  const examined = `${count(scannedIterations, 'trial')} examined${complete ? '' : ' on this page'}`;
  if (scannedIterations === 0) return say`No trial was examined${complete ? '' : ' on this page'}`;
  return items.length === 0
    ? say`Every trial passed: ${examined}`
    : say`Trials that did not pass: ${items.length} of ${examined}`;
}

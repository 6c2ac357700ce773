/**
 * Renders a decision summary for people: the verdict sentence first, then where it breaks and whether
 * everything was measured, the waiver in force, the trials that did not pass, and what is not shown. The
 * same words come out as plain text and as Markdown.
 */
import {
  type CaseTitles,
  count,
  type DecisionSummary,
  quote,
  quoteSentence,
  type Sentence,
  say,
  theirs,
  verdictWords,
  wentAsRecorded,
} from '@proofmark/domain';
import { aboutRun, failedCases, nextForRun, passedCases } from './about-run.ts';
import { address, runPage } from './console-page.ts';
import { endedTrials, hasRunEnded, trialsToCome } from './ended-trials.ts';
import { groupTrials, type TrialGroup } from './group-trials.ts';
import { judgeSentences, type RunJudges } from './judge-sentence.ts';
import type { KnownOfCases } from './measured-sentence.ts';
import { notShown } from './not-shown.ts';
import type { TrialWords } from './outline-trial.ts';
import { amountPicked, type PickedTrials, unlistedSentence } from './picked-trials.ts';
import { reportCases } from './report-cases.ts';
import type { SummaryOutline } from './summary-outline.ts';
import type { SurfaceToRender } from './surface-words.ts';
import { legend } from './symbols.ts';
import { verdictSentence } from './verdict-sentence.ts';
import { writeHtml } from './write-html.ts';
import { writeMarkdown } from './write-markdown.ts';
import { writeText } from './write-text.ts';

export interface RenderOptions extends TrialWords, KnownOfCases {
  /** html: one file that needs nothing else, with all case variants. */
  readonly format: 'text' | 'markdown' | 'html';
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
  /** Where the summary lists what did not pass of the whole run; else it lists that of a page. */
  readonly picked?: PickedTrials | undefined;
  /** How many trials are still to come, where the run says so. */
  readonly toCome?: number | undefined;
  /** Whether its trials shared one session with each server. */
  readonly sharesSessions?: boolean | undefined;
  /** How its tools differ from those of the run it is compared with. */
  readonly surface?: SurfaceToRender | undefined;
  /** Whether it says where the console shows the run; whoever says so elsewhere leaves it out. */
  readonly namesPage?: boolean | undefined;
  /** Only what is said about the whole run, without its trials. */
  readonly brief?: boolean | undefined;
  /** Also the case variants that met their threshold. */
  readonly listsPassed?: boolean | undefined;
}

export interface WaiverInForce {
  readonly until: string;
  readonly by: string;
  readonly reason: string;
}

type OutlineOptions = Omit<RenderOptions, 'format' | 'width' | 'brief'>;

/** Whoever has to read more of them reads them in the console; a file may be read without it. */
const shownBlocks = { text: 20, markdown: 20, html: 500 } as const;

export function renderSummary(summary: DecisionSummary, options: RenderOptions): string {
  const ascii = options.ascii ?? false;
  const groups = groupTrials(endedTrials(summary), ascii, options);
  const whole = outlineGroups(summary, { ...options, ascii }, groups);
  const outline = options.brief ? withoutTrials(whole) : withoutFurther(whole, groups, options);
  if (options.format === 'html') {
    const verdict = wentAsRecorded(summary.replay) ? summary.verdict : 'inconclusive';
    return writeHtml(outline, { verdict, cases: reportCases(summary, options) });
  }
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
  const location = namesPage ? options.console : undefined;
  const trials = groups.map(({ outline }) => outline);
  const run = say`Run ${theirs(summary.runId)}`;
  return {
    verdict: verdictSentence(summary),
    about: [...aboutRun(summary, options), ...(judges === undefined ? [] : judgeSentences(judges))],
    run: title === undefined ? say`${run}.` : say`${run}, ${quote(title)}.`,
    page: location && say`${address(runPage(location, summary.runId))}`,
    waiver: waiver && waiverSentence(waiver, summary),
    next: nextForRun(summary),
    cases: failedCases(summary, caseTitles),
    passedCases: options.listsPassed ? passedCases(summary, caseTitles, ascii) : [],
    trialsHeading: trialsHeading(summary, options.picked),
    trials,
    legend: trials.some(({ strip }) => strip.length > 0) ? legend(ascii) : [],
    notShown: notShown(summary, options.picked),
  };
}

function withoutTrials(outline: SummaryOutline): SummaryOutline {
  return { ...outline, trialsHeading: undefined, trials: [], legend: [], notShown: [] };
}

function withoutFurther(
  outline: SummaryOutline,
  groups: readonly TrialGroup[],
  { picked, format }: Pick<RenderOptions, 'picked' | 'format'>,
): SummaryOutline {
  const most = shownBlocks[format];
  const amount = (some: readonly TrialGroup[]) =>
    some.reduce((sum, { members }) => sum + members.length, 0);
  const unread = picked?.total === undefined ? 0 : picked.total - amount(groups);
  const further = Math.max(0, unread) + amount(groups.slice(most));
  return {
    ...outline,
    trials: outline.trials.slice(0, most),
    notShown: [...unlistedSentence(further, picked), ...outline.notShown],
  };
}

function waiverSentence({ until, by, reason }: WaiverInForce, summary: DecisionSummary): Sentence {
  return say`Gate waived until ${theirs(until)} by ${theirs(by)}: ${quoteSentence(reason)} The verdict stays ${verdictWords[summary.verdict]}.`;
}

/** A page speaks of its own trials; only the whole run can say that every one passed. */
function trialsHeading(summary: DecisionSummary, picked: PickedTrials | undefined): Sentence {
  const { items, scannedIterations, complete } = summary.diagnostics;
  const isWhole = complete || picked?.isAll === true;
  const where = isWhole || picked !== undefined ? '' : ' on this page';
  const shown = isWhole || picked === undefined ? '' : `, the first ${items.length} read`;
  if (!hasRunEnded(summary)) {
    const ended = scannedIterations - trialsToCome(summary);
    const failing = endedTrials(summary).length;
    if (ended === 0) return say`No trial has ended so far`;
    const examined = `${count(ended, 'trial')} examined${where}${shown}`;
    return failing === 0 && isWhole
      ? say`Every trial passed so far: ${examined}`
      : say`Did not pass so far: ${amountPicked(failing, picked)} of ${examined}`;
  }
  if (scannedIterations === 0) return say`No trial was examined${where}`;
  const examined = `${count(scannedIterations, 'trial')} examined${where}${shown}`;
  return items.length === 0 && isWhole
    ? say`Every trial passed: ${examined}`
    : say`Trials that did not pass: ${amountPicked(items.length, picked)} of ${examined}`;
}

import {
  type CaseTitles,
  cleanText,
  count,
  type DecisionSummary,
  quote,
  quoteSentence,
  type Sentence,
  say,
  theirs,
  toAscii,
  verdictWords,
  wentAsRecorded,
} from '@proofmark/domain';
import { aboutRun, failedCases, isWhollyGreen, nextForRun, passedCases } from './about-run.ts';
import { address, runPage } from './console-page.ts';
import { endedTrials, hasRunEnded, trialsToCome } from './ended-trials.ts';
import { groupTrials, type TrialGroup } from './group-trials.ts';
import { judgeSentences, type RunJudges } from './judge-sentence.ts';
import type { KnownOfCases } from './measured-sentence.ts';
import type { TrialWords } from './outline-trial.ts';
import { amountPicked, type PickedTrials, unlistedSentence } from './picked-trials.ts';
import { type QuarantineToRender, quarantineSentences } from './quarantine-words.ts';
import { reportCases } from './report-cases.ts';
import type { SummaryOutline } from './summary-outline.ts';
import type { SurfaceToRender } from './surface-words.ts';
import { legend } from './symbols.ts';
import { briefVerdict, verdictSentence } from './verdict-sentence.ts';
import { type HtmlPart, writeHtml, writeHtmlOfAll } from './write-html.ts';
import { writeText } from './write-text.ts';

export interface RenderOptions extends TrialWords, KnownOfCases {
  /** `html` is a self-contained file that also lists all case variants. */
  readonly format: 'text' | 'markdown' | 'html';
  /** Uses only ASCII characters, for terminals that support no others. */
  readonly ascii?: boolean | undefined;
  /** Characters per line of plain text (default: 80). */
  readonly width?: number | undefined;
  readonly waiver?: WaiverInForce | undefined;
  readonly quarantine?: QuarantineToRender | undefined;
  readonly title?: string | undefined;
  /**
   * The first line, in place of the verdict sentence. The details of the verdict sentence then
   * follow it.
   */
  readonly headline?: Sentence | undefined;
  readonly caseTitles?: CaseTitles | undefined;
  readonly judges?: RunJudges | undefined;
  /** Present if the listed trials come from the whole run instead of one page. */
  readonly picked?: PickedTrials | undefined;
  /** The number of trials that have not ended; absent if the run does not state it. */
  readonly toCome?: number | undefined;
  readonly sharesSessions?: boolean | undefined;
  readonly surface?: SurfaceToRender | undefined;
  /**
   * Whether the run's console URL is included. Callers that print the URL themselves set this to
   * false.
   */
  readonly namesPage?: boolean | undefined;
  readonly brief?: boolean | undefined;
  readonly listsPassed?: boolean | undefined;
  /** If true, a run that passed completely is described only by its cases. */
  readonly terse?: boolean | undefined;
}

export interface WaiverInForce {
  readonly until: string;
  readonly by: string;
  readonly reason: string;
}

type OutlineOptions = Omit<RenderOptions, 'format' | 'width' | 'brief'>;

/**
 * The maximum number of trial blocks. Longer lists can be read in the console, but readers of an
 * HTML file may not have access to it.
 */
const shownBlocks = { text: 20, markdown: 20, html: 500 } as const;

export function renderSummary(summary: DecisionSummary, options: RenderOptions): string {
  const { ascii = false, width = 80 } = options;
  if (options.format === 'html') return writeHtml(htmlPart({ summary, options }));
  const outline = shownOutline(summary, options);
  return options.format === 'text'
    ? writeText(outline, { ascii, width })
    : writeMarkdown(outline, { ascii });
}

export interface SummaryToRender {
  readonly summary: DecisionSummary;
  readonly options: Omit<RenderOptions, 'format' | 'ascii' | 'width' | 'brief'>;
}

export function renderSummaries(
  format: 'markdown' | 'html',
  headline: Sentence,
  summaries: readonly SummaryToRender[],
): string {
  if (format === 'html') return writeHtmlOfAll(headline, summaries.map(htmlPart));
  const rendered = summaries.map(({ summary, options }) =>
    renderSummary(summary, { ...options, format }),
  );
  return [`## ${markdownSentence(headline, false)}\n`, ...rendered].join('\n');
}

function htmlPart({ summary, options }: SummaryToRender): HtmlPart {
  const verdict = wentAsRecorded(summary.replay) ? summary.verdict : 'inconclusive';
  const outline = shownOutline(summary, { ...options, format: 'html' });
  return { outline, verdict, cases: reportCases(summary, options) };
}

function shownOutline(summary: DecisionSummary, options: RenderOptions): SummaryOutline {
  const { ascii = false } = options;
  const groups = groupTrials(endedTrials(summary), ascii, options);
  const whole = outlineGroups(summary, { ...options, ascii }, groups);
  const full = options.brief ? withoutTrials(whole) : withoutFurther(whole, groups, options);
  return options.terse && isWhollyGreen(summary) ? terseOutline(full, options) : full;
}

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
  const { ascii = false, waiver, title, headline, caseTitles, judges } = options;
  const { namesPage = true } = options;
  const location = namesPage ? options.console : undefined;
  const trials = groups.map(({ outline }) => outline);
  const run = say`Run ${theirs(summary.runId)}`;
  const rest = headline && briefVerdict(summary).rest;
  return {
    verdict: headline ?? verdictSentence(summary),
    about: [
      ...(rest ? [rest] : []),
      ...aboutRun(summary, options),
      ...(judges === undefined ? [] : judgeSentences(judges)),
    ],
    run: title === undefined ? say`${run}.` : say`${run}, ${quote(title)}.`,
    page: location && say`${address(runPage(location, summary.runId))}`,
    waiver: waiver && waiverSentence(waiver, summary),
    quarantine: quarantineSentences(options.quarantine),
    next: nextForRun(summary),
    cases: failedCases(summary, caseTitles),
    passedCases: options.listsPassed ? passedCases(summary, caseTitles, ascii) : [],
    trialsHeading: trialsHeading(summary, options.picked),
    trials,
    legend: trials.some(({ strip }) => strip.length > 0) ? legend(ascii) : [],
    notShown: notShown(summary, options.picked),
  };
}

/**
 * Omits everything that the list of cases already shows. The title, if there is one, replaces the
 * id of the run.
 */
function terseOutline(outline: SummaryOutline, { title }: RenderOptions): SummaryOutline {
  const run = title === undefined ? outline.run : say`${quote(title)}`;
  return { ...outline, run, trialsHeading: undefined, isTerse: true };
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

/** "All passed" is stated only if the whole run was read, never for a single page of trials. */
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

/**
 * Sentences about the trials that a page omits, so that readers do not mistake the page for the
 * whole run.
 */
function notShown(summary: DecisionSummary, picked?: PickedTrials): Sentence[] {
  const { complete, nextCursor } = summary.diagnostics;
  const items = endedTrials(summary);
  const unverified = items.filter(({ chain }) => chain.status === 'unverified').length;
  const absent = items.filter(({ chain }) => chain.status === 'absent').length;
  const lines: Sentence[] = [];
  if (nextCursor !== undefined) {
    lines.push(say`More trials follow on the next page.`);
  }
  if (picked === undefined && !complete && nextCursor === undefined) {
    lines.push(
      say`This page is not the whole run: trials before it, or not recorded yet, are missing.`,
    );
  }
  if (unverified > 0) {
    lines.push(say`The stages of ${count(unverified, 'trial')}: the stored chain is inconsistent.`);
  }
  if (absent > 0) lines.push(say`The stages of ${count(absent, 'trial')}: none were recorded.`);
  return lines;
}

/**
 * Writes an outline as Markdown for a pull request comment. Text from outside is always put on one
 * line in a code span, with more backticks around it than it contains in a row. Inside a code span
 * nothing becomes a link, a mention, HTML, a heading or a table cell. Proofmark's own text and
 * harmless URLs contain no Markdown syntax.
 */
function writeMarkdown(outline: SummaryOutline, { ascii }: { readonly ascii: boolean }): string {
  const line = (sentence: Sentence) => markdownSentence(sentence, ascii);
  const bullets = (sentences: readonly Sentence[]) =>
    sentences.map((sentence) => `- ${line(sentence)}`).join('\n');
  const blocks = [
    `### ${line(outline.verdict)}`,
    ...[...outline.about, outline.run].map(line),
    ...(outline.page ? [`**Console:** ${line(outline.page)}`] : []),
    ...(outline.waiver ? [`> ${line(outline.waiver)}`] : []),
    ...(outline.next ? [`**Next:** ${line(outline.next)}`] : []),
    ...(outline.quarantine.length > 0 ? ['#### Quarantine', bullets(outline.quarantine)] : []),
    ...(outline.cases.length > 0
      ? ['#### Case variants below their threshold', bullets(outline.cases)]
      : []),
    ...(outline.passedCases.length > 0
      ? ['#### Case variants that met their threshold', bullets(outline.passedCases)]
      : []),
    ...(outline.trialsHeading ? [`#### ${line(outline.trialsHeading)}`] : []),
  ];
  for (const { heading, strip, facts } of outline.trials) {
    const rows = facts.map(({ label, text }) => `- **${label}:** ${line(text)}`);
    blocks.push(`##### ${line(heading)}`);
    blocks.push(
      [...(strip.length > 0 ? [`- **Stages:** ${strip.join(', ')}`] : []), ...rows].join('\n'),
    );
  }
  if (outline.legend.length > 0) blocks.push(`Signs: ${outline.legend.join(', ')}`);
  if (outline.notShown.length > 0) blocks.push('#### Not shown', bullets(outline.notShown));
  return `${blocks.join('\n\n')}\n`;
}

export function markdownSentence(sentence: Sentence, ascii: boolean): string {
  return sentence
    .map((part) => {
      if (typeof part !== 'string') return codeSpan(cleanText(part.theirs, ascii));
      return ascii ? toAscii(part) : part;
    })
    .join('');
}

function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${padding}${text}${padding}${fence}`;
}

/**
 * Formats a run in progress as lines to redraw, one for each case on each model. If not all lines
 * fit, failing ones come first, then those in progress.
 */
import { cleanText, creditsText, grouped, type StageState, stages } from '@proofmark/domain';
import { stateSymbol } from '@proofmark/report';
import { duration } from './durations.ts';

export interface LiveTrial {
  readonly testCaseId: string | null;
  readonly caseId?: string | undefined;
  readonly title: string | null;
  readonly model: string | null;
  readonly status: string;
  readonly result: 'passed' | 'failed' | null;
  readonly durationMs: number | null;
  /** Absent if no model was called or the caller's own key paid for it. */
  readonly spending?: { readonly credits: number; readonly priced: boolean } | undefined;
  readonly stageResults?: readonly { readonly state: StageState }[] | undefined;
}

export interface LiveScreen {
  readonly ascii: boolean;
  readonly width: number;
  readonly rows: number;
  readonly isColoured: boolean;
  /** Whether failing cases come first even if all cases fit on the screen. */
  readonly failingFirst?: boolean;
}

type CaseState = 'failed' | 'open' | 'going' | 'passed' | 'waiting';

interface LiveCase {
  readonly state: CaseState;
  readonly trials: readonly LiveTrial[];
}

const widthForCost = 60;
const order: readonly CaseState[] = ['failed', 'open', 'going', 'waiting', 'passed'];
const signs: Readonly<Record<CaseState, readonly [sign: string, ascii: string, colour: number]>> = {
  failed: ['✗', 'F', 31],
  open: ['–', '?', 33],
  going: ['…', '~', 36],
  waiting: [' ', ' ', 0],
  passed: ['✓', 'P', 32],
};

export function liveLines(all: readonly LiveTrial[], screen: LiveScreen): string[] {
  // If all trials use the same model, its name is omitted to leave room for titles.
  const isOneModel = new Set(all.map(({ model }) => model)).size < 2;
  const cases = gather(isOneModel ? all.map((trial) => ({ ...trial, model: null })) : all);
  const urgent = cases.toSorted(
    (one, other) => order.indexOf(one.state) - order.indexOf(other.state),
  );
  if (cases.length <= screen.rows) {
    return (screen.failingFirst ? urgent : cases).map((one) => caseLine(one, screen));
  }
  const shown = urgent.slice(0, Math.max(0, screen.rows - 1));
  return [
    ...shown.map((one) => caseLine(one, screen)),
    `  and ${grouped(cases.length - shown.length)} more`,
  ];
}

function gather(trials: readonly LiveTrial[]): LiveCase[] {
  const cases = new Map<string, LiveTrial[]>();
  for (const trial of trials) {
    const { caseId, testCaseId, title, model } = trial;
    const key = JSON.stringify([caseId ?? testCaseId ?? title, model]);
    cases.set(key, [...(cases.get(key) ?? []), trial]);
  }
  return [...cases.values()].map((ofCase) => ({ trials: ofCase, state: stateOf(ofCase) }));
}

function stateOf(trials: readonly LiveTrial[]): CaseState {
  const isOpen = ({ status }: LiveTrial) => status === 'pending' || status === 'running';
  if (trials.some(({ result }) => result === 'failed')) return 'failed';
  if (trials.some((trial) => !isOpen(trial) && trial.result === null)) return 'open';
  if (trials.every(({ status }) => status === 'pending')) return 'waiting';
  return trials.some(isOpen) ? 'going' : 'passed';
}

function caseLine({ state, trials }: LiveCase, screen: LiveScreen): string {
  const { ascii, width, isColoured } = screen;
  const [sign, plain, colour] = signs[state];
  const shown = ascii ? plain : sign;
  const mark = isColoured && colour > 0 ? `\u001b[${colour}m${shown}\u001b[0m` : shown;
  const numbers = numbersOf(trials, width);
  const strip = stripOf(trials, ascii);
  const nameWidth = Math.max(10, width - 2 - strip.length - numbers.length - 4);
  const [{ title, caseId, testCaseId, model }] = trials as [LiveTrial];
  const name = cleanText(title ?? caseId ?? testCaseId ?? 'case', ascii);
  const called = model === null ? name : `${name} on ${cleanText(model, ascii)}`;
  return `${mark} ${fitted(called, nameWidth)}  ${strip}  ${numbers}`.trimEnd();
}

/** Returns the stages of the first trial that did not pass, or of the last trial if all passed. */
function stripOf(trials: readonly LiveTrial[], ascii: boolean): string {
  const staged = trials.filter(({ stageResults }) => stageResults !== undefined);
  const shownTrial = staged.find(({ result }) => result !== 'passed') ?? staged.at(-1);
  if (shownTrial?.stageResults === undefined) return ' '.repeat(stages.length);
  return shownTrial.stageResults.map(({ state }) => stateSymbol(state, ascii)).join('');
}

function numbersOf(trials: readonly LiveTrial[], width: number): string {
  const sum = (of: (trial: LiveTrial) => number | null) =>
    trials.reduce((all, trial) => all + (of(trial) ?? 0), 0);
  const passed = trials.filter(({ result }) => result === 'passed').length;
  return [
    `${passed}/${trials.length}`.padStart(5),
    duration(sum(({ durationMs }) => durationMs)).padStart(8),
    ...(width < widthForCost ? [] : [costOf(trials).padStart(13)]),
  ].join(' ');
}

/**
 * Empty if nothing was spent. A plus means that some calls have no known price, so the real cost is
 * higher.
 */
function costOf(trials: readonly LiveTrial[]): string {
  const spent = trials.flatMap(({ spending }) => (spending === undefined ? [] : [spending]));
  const credits = spent.reduce((all, one) => all + one.credits, 0);
  const isPriced = spent.every(({ priced }) => priced);
  if (credits === 0) return isPriced ? '' : 'no price';
  return `${creditsText(credits)}${isPriced ? '' : '+'}`;
}

function fitted(text: string, maxWidth: number): string {
  const letters = [...text];
  if (letters.length <= maxWidth) return text + ' '.repeat(maxWidth - letters.length);
  return `${letters.slice(0, maxWidth - 3).join('')}...`;
}

import {
  type CaseMovement,
  caseMovement,
  count,
  grouped,
  type MovedCase,
  numericDiff,
  percent,
  type SurfaceChange,
  type SurfaceTokens,
} from '@proofmark/domain';
import { relativeWords } from '@proofmark/report';
import type { Vocabulary } from '../../../kit/changes/change-words.ts';
import { lastedWords } from '../runs/run-words.ts';

export interface NumberPair {
  readonly base: number | null;
  readonly compare: number | null;
  readonly delta: number | null;
  readonly percentDelta: number | null;
}

export interface FigureRow {
  readonly name: string;
  readonly base: string;
  readonly compare: string;
  /** Undefined if one of the two values is unknown. */
  readonly difference: string | undefined;
}

interface Compared {
  readonly passSummary: Readonly<Record<'passRatePercent' | 'passed' | 'failed', NumberPair>>;
  readonly metrics: Readonly<
    Record<'wallDurationMs' | 'totalTokens' | 'estimatedCostUsd', NumberPair>
  >;
  readonly tokens: Readonly<Record<'base' | 'compare', SurfaceTokens>>;
}

export function figureRows({ passSummary, metrics, tokens: ofTools }: Compared): FigureRow[] {
  const trials = (amount: number) => `${grouped(amount)} ${amount === 1 ? 'trial' : 'trials'}`;
  const tokens = (amount: number) => `${grouped(amount)} ${amount === 1 ? 'token' : 'tokens'}`;
  return [
    figureRow('Passed', passSummary.passed, trials, 'many'),
    figureRow('Did not pass', passSummary.failed, trials, 'many'),
    {
      ...figureRow('Pass rate', passSummary.passRatePercent, (rate) => percent(rate / 100), 'much'),
      difference: pointsWords(passSummary.passRatePercent.delta),
    },
    figureRow('Time, first trial to last', metrics.wallDurationMs, lastedWords, 'long'),
    figureRow('Tokens', metrics.totalTokens, tokens, 'many'),
    figureRow('Tools, in every request', toolTokens(ofTools), tokens, 'many'),
    figureRow('Estimated cost', metrics.estimatedCostUsd, costWords, 'much'),
  ];
}

function toolTokens({ base, compare }: Compared['tokens']): NumberPair {
  const known = ({ servers, total }: SurfaceTokens) =>
    servers.length === 0 ? null : total.o200k_base;
  return numericDiff(known(base), known(compare));
}

type AsWhat = Parameters<typeof relativeWords>[1];

function figureRow(
  name: string,
  pair: NumberPair,
  words: (amount: number) => string,
  asWhat: AsWhat,
): FigureRow {
  const figureText = (amount: number | null) => (amount === null ? 'not known' : words(amount));
  return {
    name,
    base: figureText(pair.base),
    compare: figureText(pair.compare),
    difference: differenceWords(pair, words, asWhat),
  };
}

function differenceWords(
  pair: NumberPair,
  words: (amount: number) => string,
  asWhat: AsWhat,
): string | undefined {
  const { delta, percentDelta } = pair;
  if (delta === null) return undefined;
  if (delta === 0) return 'the same';
  const relative = percentDelta === null ? '' : ` (${relativeWords(percentDelta, asWhat)})`;
  return `${signed(delta, words)}${relative}`;
}

function pointsWords(delta: number | null): string | undefined {
  if (delta === null) return undefined;
  if (Math.abs(delta) < 0.05) return 'the same';
  return `${signed(delta, (points) => String(Number(points.toFixed(1))))} points`;
}

function signed(amount: number, words: (amount: number) => string): string {
  return `${amount < 0 ? '−' : '+'}${words(Math.abs(amount))}`;
}

export function costWords(usd: number): string {
  if (usd === 0) return '$0';
  if (usd < 0.0001) return 'less than $0.0001';
  if (usd < 0.01) return `$${usd.toFixed(4)}`;
  const [whole = '', cents] = usd.toFixed(2).split('.');
  return `$${grouped(Number(whole))}.${cents}`;
}

export const movementTitles: Readonly<Record<CaseMovement, string>> = {
  worse: 'Got worse',
  better: 'Got better',
  failsNow: 'Failing now, passed before',
  passesNow: 'Passing now, failed before',
  unclear: 'Changed, which may be chance',
  notMeasured: 'No graded trial in one of the runs',
  new: 'New in this run',
  removed: 'Not in this run',
  same: 'As before',
};

/** Returns the non-empty groups of cases, the worst change first. */
export function groupCases<One extends MovedCase>(
  cases: readonly One[],
): { readonly movement: CaseMovement; readonly cases: readonly One[] }[] {
  return shownOrder.flatMap((movement) => {
    const found = cases.filter((one) => caseMovement(one) === movement);
    return found.length === 0 ? [] : [{ movement, cases: found }];
  });
}

const shownOrder: readonly CaseMovement[] = [
  ...(['worse', 'failsNow', 'unclear', 'notMeasured'] as const),
  ...(['better', 'passesNow', 'new', 'removed', 'same'] as const),
];

export const surfaceChangeWords: Readonly<Record<SurfaceChange, string>> = {
  added: 'added',
  removed: 'removed',
  renamed: 'renamed',
  changed: 'changed',
};

/** If no tool differs, the servers differ only in their names. */
export function surfaceSentence(tools: number, servers: number): string {
  if (tools === 0) return `No tool differs; ${count(servers, 'server')} under another name.`;
  return `${count(tools, 'tool')} ${tools === 1 ? 'differs' : 'differ'}, on ${count(servers, 'server')}.`;
}

export const comparedVocabulary: Vocabulary = {
  labels: {
    title: 'Title',
    description: 'Description',
    inputSchema: 'Input schema',
    outputSchema: 'Output schema',
    annotations: 'Annotations',
    _meta: 'Meta data',
    steps: 'Steps',
    expectedOutput: 'Expected output',
    isNegative: 'Expects no call',
    system: 'System prompt',
    toolChoice: 'Choice of tools',
    models: 'Models',
    timeoutMs: 'Time limit, in milliseconds',
    before: 'Done before',
    after: 'Done after',
    elicitations: 'Answers to servers',
    temperature: 'Temperature',
    matchOptions: 'How calls are matched',
    assertions: 'Checks',
    failOnToolError: 'Fails on a tool error',
    passThreshold: 'Passing score',
    model: 'Judge',
    provider: 'Provider of the judge',
    threshold: 'Threshold of the judge',
    autoRun: 'Judge is asked at the end',
  },
  absent: 'not stated',
  nameOf: () => undefined,
};

/**
 * Replaces invisible characters by their code. Otherwise two descriptions could look equal although
 * a model reads different characters.
 */
export function withHiddenSigns(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(hiddenSigns, named);
  if (Array.isArray(value)) return value.map(withHiddenSigns);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => [withHiddenSigns(key), withHiddenSigns(held)]),
  );
}

const hiddenSigns = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Variation_Selector}]/gu;

const emojiBefore = /\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?$/u;

/** Characters that belong to an emoji are kept, because they are visible as part of it. */
function named(sign: string, at: number, whole: string): string {
  const isOfEmoji = /[\ufe0f\u200d]/.test(sign) && emojiBefore.test(whole.slice(0, at));
  if (isOfEmoji) return sign;
  return `⟨U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/**
 * Lints the tools that models get from servers. Each finding lists the failing trials that it may
 * explain: trials that called the tool, missed it, or confused it with another. Findings with the
 * most trials come first, then those of higher severity.
 */
import { movedTools } from '../doctor/revision-problems.ts';
import { isRecord, type Json } from '../kernel/json.ts';
import { count, grouped } from '../words/sentence.ts';
import type { ExcludedTool } from './excluded-tools.ts';
import {
  type LintRule,
  type LintSeverity,
  lintRuleTexts,
  lintSeverities,
  lintThresholds,
  type ToolFault,
  toolFault,
} from './lint-rules.ts';
import { lintTool } from './lint-tool.ts';
import { toolOrderedAbout } from './orders-to-model.ts';
import type { SurfaceOverlay } from './surface-overlay.ts';
import { type FailingTrial, type ToolOfServer, trialsTouching } from './touched-tools.ts';
import { wordOverlap, wordsOfText, wordsOfTool } from './word-overlap.ts';

export const mostTrialsPerFinding = 20;

export interface LintFinding {
  readonly rule: LintRule;
  readonly severity: LintSeverity;
  readonly serverName: string | null;
  /** The tool; absent if the finding is about the server. */
  readonly toolName?: string;
  /** The tools concerned, if the finding is about the server. */
  readonly toolNames?: readonly string[];
  readonly otherToolName?: string;
  readonly path: string;
  readonly message: string;
  readonly reason: string;
  /** The ids of failing trials that the finding may explain, at most `mostTrialsPerFinding`. */
  readonly trials: readonly string[];
  readonly overlay?: SurfaceOverlay;
}

export interface LintedServer {
  readonly name: string | null;
  readonly tools: readonly Json[];
  /** The tools as listed a second time in the same session. */
  readonly listedAgain?: readonly Json[];
  /** The tools that the server listed, but that clients must hide. */
  readonly excludedTools?: readonly ExcludedTool[] | undefined;
}

export interface LargeResult {
  readonly serverName: string | null;
  readonly toolName: string;
  readonly tokens: number;
  readonly maximum: number;
}

export type RankForRequest = (request: string) => readonly ScoredTool[];

export interface ScoredTool {
  /** The index of the tool in the list that was ranked. */
  readonly index: number;
  readonly score: number;
}

export interface LintHelp {
  readonly failing?: readonly FailingTrial[];
  /**
   * Ranks tools for a request as the built-in model does. If absent, no confused tools are
   * reported.
   */
  readonly rankTools?: (tools: readonly Json[]) => RankForRequest;
  readonly largeResults?: readonly LargeResult[];
}

interface ListedHere extends ToolOfServer {
  readonly tool: Json;
}

export function lintSurface(
  servers: readonly LintedServer[],
  { failing = [], rankTools, largeResults = [] }: LintHelp = {},
): LintFinding[] {
  const listed = servers.flatMap(({ name: serverName, tools }) =>
    tools.map((tool): ListedHere => ({ tool, serverName, toolName: String(tool['name']) })),
  );
  const names = new Set(listed.map(({ toolName }) => toolName));
  const alone = listed.flatMap(({ tool, ...of }) =>
    lintTool(tool, names).map((fault) => found(fault, of, failing)),
  );
  return [
    ...alone,
    ...servers.flatMap((server) => lintExcluded(server, failing)),
    ...lintAlike(listed, failing),
    ...lintShadows(listed, failing),
    ...(rankTools === undefined ? [] : lintConfusion(listed, rankTools, failing)),
    ...lintResults(largeResults, failing),
    ...servers.flatMap(lintServerAsWhole),
  ].sort(
    (one, other) =>
      other.trials.length - one.trials.length ||
      lintSeverities.indexOf(one.severity) - lintSeverities.indexOf(other.severity),
  );
}

export function isGraveFinding({ severity }: Pick<LintFinding, 'severity'>): boolean {
  return severity !== 'info';
}

function found(
  { rule, path, message, instead, severity = lintRuleTexts[rule].severity }: ToolFault,
  { serverName, toolName }: ToolOfServer,
  failing: readonly FailingTrial[],
  other?: ToolOfServer,
): LintFinding {
  const { reason } = lintRuleTexts[rule];
  return {
    rule,
    severity,
    serverName,
    toolName,
    ...(other && { otherToolName: other.toolName }),
    path,
    message,
    reason,
    trials: trialsTouching(failing, { serverName, toolName }, other).slice(0, mostTrialsPerFinding),
    ...(instead !== undefined &&
      serverName !== null && {
        overlay: { servers: [{ serverName, tools: [{ name: toolName, ...instead }] }] },
      }),
  };
}

function lintExcluded(
  { name: serverName, excludedTools = [] }: LintedServer,
  failing: readonly FailingTrial[],
): LintFinding[] {
  return excludedTools.map(({ toolName, path, message }) =>
    found(toolFault('header-parameter-invalid', path, message), { serverName, toolName }, failing),
  );
}

function lintAlike(listed: readonly ListedHere[], failing: readonly FailingTrial[]): LintFinding[] {
  const withWords = listed.map((one) => ({ ...one, words: wordsOfTool(one.tool) }));
  return withWords.flatMap((one, at) =>
    withWords.slice(at + 1).flatMap((other) => {
      const overlap = wordOverlap(one.words, other.words);
      if (overlap < lintThresholds.namesAlike || isSameName(one, other)) return [];
      const serverText =
        one.serverName === other.serverName ? '' : ` of ${JSON.stringify(other.serverName ?? '')}`;
      const message = `The tool shares ${Math.round(overlap * 100)} % of its words with ${JSON.stringify(other.toolName)}${serverText}.`;
      return [found(toolFault('names-alike', '/name', message), one, failing, other)];
    }),
  );
}

/** Another rule reports two servers with a tool of the same name. */
function isSameName(one: ToolOfServer, other: ToolOfServer): boolean {
  return one.toolName === other.toolName && one.serverName !== other.serverName;
}

/**
 * Finds tools whose description gives orders about a tool of another server, and tools with the
 * same name as one.
 */
function lintShadows(
  listed: readonly ListedHere[],
  failing: readonly FailingTrial[],
): LintFinding[] {
  return listed.flatMap((one, at) => {
    const others = listed.filter(({ serverName }) => serverName !== one.serverName);
    const { description } = one.tool;
    const ordered =
      typeof description === 'string'
        ? toolOrderedAbout(description, new Set(others.map(({ toolName }) => toolName)))
        : undefined;
    const aboutIt = others.find(({ toolName }) => toolName === ordered);
    const twins = listed.slice(at + 1).filter((other) => isSameName(one, other));
    return [
      ...(aboutIt === undefined || aboutIt.toolName === one.toolName
        ? []
        : [
            found(
              toolFault(
                'shadows-tool',
                '/description',
                `The description gives orders about ${JSON.stringify(aboutIt.toolName)} of ${JSON.stringify(aboutIt.serverName ?? '')}.`,
              ),
              one,
              failing,
              aboutIt,
            ),
          ]),
      ...twins.map((other) => {
        const message = `${JSON.stringify(other.serverName ?? '')} has a tool of the same name.`;
        const fault = toolFault('shadows-tool', '/name', message);
        return found({ ...fault, severity: 'warn' }, one, failing, other);
      }),
    ];
  });
}

/**
 * Finds tools whose description, used as a request, ranks another tool clearly higher. Each pair is
 * reported once.
 */
function lintConfusion(
  listed: readonly ListedHere[],
  rankTools: NonNullable<LintHelp['rankTools']>,
  failing: readonly FailingTrial[],
): LintFinding[] {
  const rank = rankTools(listed.map(({ tool }) => tool));
  const pairs = new Set<string>();
  return listed.flatMap((one, at) => {
    const request = ownWordsOf(one.tool);
    if (request === undefined) return [];
    const ranked = rank(request);
    const [best] = ranked;
    const own = ranked.find(({ index }) => index === at);
    const other = best && listed[best.index];
    if (best === undefined || other === undefined || own === undefined || best.index === at)
      return [];
    if (best.score < own.score * lintThresholds.confusedShare || isSameName(one, other)) return [];
    const pair = [at, best.index].sort((left, right) => left - right).join(' ');
    if (pairs.has(pair)) return [];
    pairs.add(pair);
    const message = `For a request in the words of this tool's description, the built-in model chooses ${JSON.stringify(other.toolName)}.`;
    return [found(toolFault('tools-confused', '/description', message), one, failing, other)];
  });
}

/**
 * Returns the first sentence of the description; undefined if it has too few words to choose a tool
 * by.
 */
function ownWordsOf({ description }: Json): string | undefined {
  if (typeof description !== 'string') return undefined;
  const [sentence = ''] = description.trim().split(/(?<=[.!?])\s|\n/u);
  return wordsOfText(sentence).size < 4 ? undefined : sentence.slice(0, 400);
}

function lintResults(
  large: readonly LargeResult[],
  failing: readonly FailingTrial[],
): LintFinding[] {
  const largest = new Map<string, LargeResult>();
  for (const result of large) {
    const key = JSON.stringify([result.serverName, result.toolName]);
    if (result.tokens > (largest.get(key)?.tokens ?? 0)) largest.set(key, result);
  }
  return [...largest.values()].map(({ tokens, maximum, ...of }) => {
    const message = `A result took ${count(tokens, 'token')}, more than ${grouped(maximum)}.`;
    return found(toolFault('result-over-budget', '', message), of, failing);
  });
}

function lintServerAsWhole({ name, tools, listedAgain }: LintedServer): LintFinding[] {
  const without = (part: string, isThere: (value: unknown) => boolean) =>
    tools.filter((tool) => !isThere(tool[part])).map((tool) => String(tool['name']));
  const bare = without('annotations', (value) => isRecord(value) && Object.keys(value).length > 0);
  const shapeless = without('outputSchema', isRecord);
  const moved = listedAgain === undefined ? [] : movedTools(tools, listedAgain);
  const of = (toolNames: readonly string[]) =>
    toolNames.length === tools.length
      ? 'No tool of the server has'
      : `${grouped(toolNames.length)} of ${count(tools.length, 'tool')} ${toolNames.length === 1 ? 'has' : 'have'} no`;
  const whole = (toolNames: readonly string[], fault: ToolFault) =>
    toolNames.length === 0 ? [] : [foundOfServer(fault, name, toolNames)];
  const article = (toolNames: readonly string[]) =>
    toolNames.length === tools.length ? 'an ' : '';
  return [
    ...whole(
      moved,
      toolFault(
        'list-order-unstable',
        '',
        `A second list in the same session had a different order, beginning with ${JSON.stringify(moved[0] ?? '')}.`,
      ),
    ),
    ...whole(bare, toolFault('annotations-missing', '/annotations', `${of(bare)} annotations.`)),
    ...whole(
      shapeless,
      toolFault(
        'output-schema-missing',
        '/outputSchema',
        `${of(shapeless)} ${article(shapeless)}output schema.`,
      ),
    ),
  ];
}

function foundOfServer(
  { rule, path, message }: ToolFault,
  serverName: string | null,
  toolNames: readonly string[],
): LintFinding {
  const { severity, reason } = lintRuleTexts[rule];
  return { rule, severity, serverName, toolNames, path, message, reason, trials: [] };
}

/**
 * Lints the tools of servers as models get them. Each finding has the failing trials that it may
 * explain: trials that called the tool, missed it, or confused it with another. Findings with the
 * most trials come first, then those of higher severity.
 */
import type { Json } from '../kernel/json.ts';
import {
  type LintRule,
  type LintSeverity,
  lintRuleTexts,
  lintSeverities,
  lintThresholds,
  lintTool,
  type ToolFault,
} from './lint-rules.ts';
import type { SurfaceOverlay } from './surface-overlay.ts';
import { type FailingTrial, type ToolOfServer, trialsTouching } from './touched-tools.ts';
import { wordOverlap, wordsOfTool } from './word-overlap.ts';

export const mostTrialsPerFinding = 20;

export interface LintFinding {
  readonly rule: LintRule;
  readonly severity: LintSeverity;
  readonly serverName: string | null;
  readonly toolName: string;
  readonly otherToolName?: string;
  readonly path: string;
  readonly message: string;
  /** Why the finding matters. */
  readonly reason: string;
  /** The ids of the first failing trials. */
  readonly trials: readonly string[];
  /** A replacement for the tool, if one can be derived. */
  readonly overlay?: SurfaceOverlay;
}

export interface LintedServer {
  readonly name: string | null;
  readonly tools: readonly Json[];
}

export function lintSurface(
  servers: readonly LintedServer[],
  failing: readonly FailingTrial[] = [],
): LintFinding[] {
  const listed = servers.flatMap(({ name: serverName, tools }) =>
    tools.map((tool) => ({ tool, serverName, toolName: String(tool['name']) })),
  );
  const names = new Set(listed.map(({ toolName }) => toolName));
  const alone = listed.flatMap(({ tool, ...of }) =>
    lintTool(tool, names).map((fault) => found(fault, of, failing)),
  );
  return [...alone, ...lintAlike(listed, failing)].sort(
    (one, other) =>
      other.trials.length - one.trials.length ||
      lintSeverities.indexOf(one.severity) - lintSeverities.indexOf(other.severity),
  );
}

/** Whether a finding fails a strict check. */
export function isGraveFinding({ severity }: Pick<LintFinding, 'severity'>): boolean {
  return severity !== 'info';
}

function found(
  { rule, path, message, instead }: ToolFault,
  { serverName, toolName }: ToolOfServer,
  failing: readonly FailingTrial[],
  other?: ToolOfServer,
): LintFinding {
  const { severity, reason } = lintRuleTexts[rule];
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

/** Returns a finding for each pair of tools with nearly the same words. */
function lintAlike(
  listed: readonly (ToolOfServer & { readonly tool: Json })[],
  failing: readonly FailingTrial[],
): LintFinding[] {
  const said = listed.map((one) => ({ ...one, words: wordsOfTool(one.tool) }));
  return said.flatMap((one, at) =>
    said.slice(at + 1).flatMap((other) => {
      const overlap = wordOverlap(one.words, other.words);
      if (overlap < lintThresholds.namesAlike) return [];
      const whose =
        one.serverName === other.serverName ? '' : ` of ${JSON.stringify(other.serverName ?? '')}`;
      const message = `The tool shares ${Math.round(overlap * 100)} % of its words with ${JSON.stringify(other.toolName)}${whose}.`;
      return [found({ rule: 'names-alike', path: '/name', message }, one, failing, other)];
    }),
  );
}

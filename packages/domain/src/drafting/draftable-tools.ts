/**
 * Decides for which listed tools cases are drafted, and gives the reason for each tool that is left
 * out:
 *
 * - only widgets may call it
 * - it is held for writing (it may change data), and the caller does not include such tools
 * - its input schema allows no sample, or only samples with a secret
 */
import { replaceSecrets } from '../assertions/secret-shapes.ts';
import { isRecord } from '../kernel/json.ts';
import { markText } from '../recordings/redaction-marks.ts';
import { isHeldForWriting, whyHeldForWriting } from '../surfaces/held-for-writing.ts';
import type { DraftTool } from './drafted-case.ts';
import { sampleArguments } from './sample-value.ts';

export interface LeftOutTool {
  readonly serverName: string;
  readonly toolName: string;
  /** The reason as a clause that follows the tool's name. */
  readonly reason: string;
}

export interface DraftableTools {
  readonly tools: readonly DraftTool[];
  readonly leftOut: readonly LeftOutTool[];
}

export function draftableTools(
  listed: readonly DraftTool[],
  { includesWriting = false }: { readonly includesWriting?: boolean | undefined } = {},
): DraftableTools {
  const tools: DraftTool[] = [];
  const leftOut: LeftOutTool[] = [];
  for (const tool of toolsInOrder(listed)) {
    const shown = withoutSecrets(tool);
    const reason = whyLeftOut(tool, shown, includesWriting);
    if (reason === undefined) tools.push(shown);
    else leftOut.push({ serverName: tool.serverName, toolName: tool.name, reason });
  }
  return { tools, leftOut };
}

/**
 * Removes texts that look like secrets from a tool's description and schema, because drafts are
 * stored and suites are committed to repositories.
 */
export function withoutSecrets<Tool extends DraftTool>(tool: Tool): Tool {
  const { name, serverName, ...rest } = tool;
  return { ...(masked(rest) as typeof rest), name, serverName } as Tool;
}

function masked(value: unknown): unknown {
  if (typeof value === 'string') return replaceSecrets(value, () => markText);
  if (Array.isArray(value)) return value.map(masked);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, masked(one)]));
}

/**
 * Samples are taken from the tool as it is shown, with secrets replaced by marks. A sample that
 * contains such a mark is not a valid argument, so the tool is left out.
 */
function whyLeftOut(
  tool: DraftTool,
  shown: DraftTool,
  includesWriting: boolean,
): string | undefined {
  const why = whyNotDrafted(tool, includesWriting);
  if (why !== undefined) return why;
  const [own, sampled] = [tool, shown].map((one) => sampleArguments(one.inputSchema));
  if (own !== undefined && 'problem' in own) return own.problem;
  if (sampled === undefined || 'problem' in sampled || holdsMark(sampled.arguments))
    return needsSecret;
  return undefined;
}

const needsSecret = 'its input schema requires a value that looks like a secret';

export function holdsMark(args: unknown): boolean {
  return JSON.stringify(args).includes(markText);
}

/** Returns the reason to leave out a tool that no drafter may use, regardless of its arguments. */
export function whyNotDrafted(tool: DraftTool, includesWriting: boolean): string | undefined {
  if (tool.isForWidgets) return 'only widgets may call it';
  const held = includesWriting ? undefined : whyHeldForWriting(tool);
  return held && `held for writing: ${held}`;
}

/** Sorts tools: first those that only read, then by name. A repeated tool is returned once. */
export function toolsInOrder(listed: readonly DraftTool[]): DraftTool[] {
  const known = new Map(
    listed
      .slice(0, mostTools)
      .map((tool) => [JSON.stringify([tool.serverName, tool.name]), tool] as const),
  );
  return [...known.values()].sort(
    (one, other) =>
      Number(isHeldForWriting(one)) - Number(isHeldForWriting(other)) ||
      compare(one.name, other.name) ||
      compare(one.serverName, other.serverName),
  );
}

const mostTools = 1_000;

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

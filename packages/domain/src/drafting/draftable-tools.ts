/**
 * Which listed tools cases are drafted for, and which are left out with the reason: tools for widgets alone, tools held
 * for writing unless they are asked for, and tools whose input schema allows no sample, or none without a secret.
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
  /** A clause that follows the tool's name. */
  readonly reason: string;
}

export interface DraftableTools {
  /** In drafting order. */
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
 * Removes texts in the shape of secrets from a description and a schema: drafts are stored, and
 * suites are committed.
 */
export function withoutSecrets<Tool extends DraftTool>(tool: Tool): Tool {
  const { name, serverName, ...said } = tool;
  return { ...(masked(said) as typeof said), name, serverName } as Tool;
}

function masked(value: unknown): unknown {
  if (typeof value === 'string') return replaceSecrets(value, () => markText);
  if (Array.isArray(value)) return value.map(masked);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, masked(one)]));
}

/** The arguments are those of the tool as it is shown, and a mark in place of a secret is no argument of the tool. */
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

const needsSecret = 'its input schema asks for a value that has the shape of a secret';

export function holdsMark(args: unknown): boolean {
  return JSON.stringify(args).includes(markText);
}

/** Returns the reason to leave a tool out that holds for every drafter and any arguments. */
export function whyNotDrafted(tool: DraftTool, includesWriting: boolean): string | undefined {
  if (tool.isForWidgets) return 'only widgets may call it';
  const held = includesWriting ? undefined : whyHeldForWriting(tool);
  return held && `held for writing: ${held}`;
}

/** Sorts tools: those that only read first, then by name; a repeated tool counts once. */
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

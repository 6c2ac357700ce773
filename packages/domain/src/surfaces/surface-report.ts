/**
 * The differences between the tools that models got in two runs, as possible causes of different
 * results. Each difference lists the failing trials that it may explain. Differences with the most
 * trials come first, then those with the strongest effect.
 */
import { type PartChange, partChanges } from '../kernel/part-changes.ts';
import type { ServerDifference, ToolDifference } from '../servers/surface-difference.ts';
import {
  type SchemaChange,
  type SurfaceEffect,
  schemaChanges,
  surfaceEffects,
} from './schema-effect.ts';
import { type FailingTrial, trialsTouching } from './touched-tools.ts';

export const surfaceParts = [
  'description',
  'title',
  'inputSchema',
  'outputSchema',
  'annotations',
] as const;
export type SurfacePart = (typeof surfaceParts)[number];

const mostTrials = 20;

interface Placed {
  readonly serverName: string | null;
  readonly trials: readonly string[];
  readonly failingTrials: number;
}

export interface MovedTool extends Placed {
  readonly toolName: string;
}

export interface RenamedInSurface extends Placed {
  readonly from: string;
  readonly to: string;
  readonly likeness: number;
}

export interface ChangedInSurface extends Placed {
  readonly toolName: string;
  readonly what: SurfacePart;
  /** A JSON pointer into the part that `what` names; absent if the whole part changed. */
  readonly path?: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly effect: SurfaceEffect;
}

export interface SurfaceReport {
  readonly added: readonly MovedTool[];
  readonly removed: readonly MovedTool[];
  readonly renamed: readonly RenamedInSurface[];
  readonly changed: readonly ChangedInSurface[];
}

export function surfaceTotals({ added, removed, renamed, changed }: SurfaceReport) {
  return {
    added: added.length,
    removed: removed.length,
    renamed: renamed.length,
    changed: changed.length,
  };
}

/** `failing` holds the failing trials of the later run. */
export function surfaceReport(
  servers: readonly ServerDifference[],
  failing: readonly FailingTrial[],
): SurfaceReport {
  const tools = servers.flatMap((server) =>
    server.tools.map((tool) => ({ ...tool, ...placed(server, tool, failing) })),
  );
  const moved = (change: 'added' | 'removed'): MovedTool[] =>
    tools
      .filter((tool) => tool.change === change)
      .map(({ name, ...tool }) => ({ toolName: name, ...placeOf(tool) }))
      .sort(byTrials);
  return {
    added: moved('added'),
    removed: moved('removed'),
    renamed: tools
      .filter(({ change }) => change === 'renamed')
      .map(({ name, formerName = '', likeness = 1, ...tool }) => ({
        from: formerName,
        to: name,
        likeness,
        ...placeOf(tool),
      }))
      .sort((one, other) => byTrials(one, other) || other.likeness - one.likeness),
    changed: tools
      .filter(({ change }) => change === 'changed' || change === 'renamed')
      .flatMap(({ name, parts, ...tool }) =>
        parts.flatMap((part) =>
          changesOf(part).map((one) => ({ toolName: name, ...one, ...placeOf(tool) })),
        ),
      )
      .sort((one, other) => byTrials(one, other) || rank(one) - rank(other)),
  };
}

function placed(
  { serverName }: ServerDifference,
  { name, formerName }: ToolDifference,
  failing: readonly FailingTrial[],
): Placed {
  // Cases that were not updated still use the former name of a renamed tool.
  const former = formerName === undefined ? undefined : { serverName, toolName: formerName };
  const trials = trialsTouching(failing, { serverName, toolName: name }, former);
  return { serverName, trials: trials.slice(0, mostTrials), failingTrials: trials.length };
}

function placeOf({ serverName, trials, failingTrials }: Placed): Placed {
  return { serverName, trials, failingTrials };
}

function byTrials(one: Placed, other: Placed): number {
  return other.failingTrials - one.failingTrials;
}

function rank({ effect }: ChangedInSurface): number {
  return surfaceEffects.indexOf(effect);
}

type Change = Pick<ChangedInSurface, 'what' | 'path' | 'before' | 'after' | 'effect'>;

function changesOf({ part, before, after }: PartChange): Change[] {
  const what = surfaceParts.find((one) => one === part);
  if (what === undefined) return [];
  if (what === 'inputSchema' || what === 'outputSchema') {
    return schemaChanges(before, after).map((one) => ({ what, ...withPath(one) }));
  }
  if (what !== 'annotations') return [{ what, ...sides(before, after), effect: 'words' }];
  return partChanges(asRecord(before), asRecord(after)).map((one) => ({
    what,
    path: `/${one.part}`,
    ...sides(one.before, one.after),
    effect: 'words',
  }));
}

function withPath({ path, ...change }: SchemaChange): Omit<Change, 'what'> {
  return path === '' ? change : { path, ...change };
}

function sides(before: unknown, after: unknown): Pick<Change, 'before' | 'after'> {
  return { before: before ?? null, after: after ?? null };
}

function asRecord(value: unknown) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
